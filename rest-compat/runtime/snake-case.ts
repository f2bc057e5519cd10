/** `webhookUrl` to `webhook_url`; what is snake case already stays as it is. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, capital: string) =>
    `${before}_${capital}`.toLowerCase(),
  );
}

/** Converts `webhookUrl` to `webhook_url`. Snake case stays unchanged. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, capital: string) =>
    `${before}_${capital}`.toLowerCase(),
  );
}

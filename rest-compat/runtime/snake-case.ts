/** Converts `webhookUrl` to `webhook_url`. Snake case stays unchanged. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, capital: string) =>
    `${before}_${capital}`.toLowerCase(),
  );
}

/**
 * The REST name of a member of a nested input object: snake case, and a foreign key without `Id`, so `loopVariableId` becomes
 * `loop_variable` and `promptIds` becomes `prompts`.
 */
export function memberName(name: string): string {
  return snakeCase(name.replace(/(?<=.)Ids$/, 's').replace(/(?<=.)Id$/, ''));
}

/** Converts `webhookUrl` to `webhook_url`. Snake case stays unchanged. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, (_, before: string, capital: string) =>
    `${before}_${capital}`.toLowerCase(),
  );
}

/** Ids that belong to other systems, so they are not foreign keys: the client of OAuth 2 (RFC 6749). */
const FOREIGN_TERMS = new Set(['clientId']);

/**
 * The REST name of a member of a nested input object: snake case, and a foreign key without `Id`, so `loopVariableId` becomes
 * `loop_variable` and `promptIds` becomes `prompts`.
 */
export function memberName(name: string): string {
  if (FOREIGN_TERMS.has(name)) return snakeCase(name);
  return snakeCase(name.replace(/(?<=.)Ids$/, 's').replace(/(?<=.)Id$/, ''));
}

/** Returns all scopes once, separated by spaces. Undefined: none. */
export function unionOfScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap(scope => scope?.split(' ') ?? []).filter(scope => scope !== ''));
  return all.size === 0 ? undefined : [...all].join(' ');
}

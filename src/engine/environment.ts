/** A project variable as a run uses it: `{{ env.NAME }}`. */
export interface EnvironmentVariable {
  name: string;
  /** Plaintext, also of a secret. */
  value: string;
  isSecret: boolean;
  /** Hosts to which a secret may be sent; empty: any host. */
  allowedHosts: readonly string[];
}

/** The values of project variables by name. */
export function environmentValues(variables: readonly EnvironmentVariable[]): ReadonlyMap<string, string> {
  return new Map(variables.map(({ name, value }) => [name, value]));
}

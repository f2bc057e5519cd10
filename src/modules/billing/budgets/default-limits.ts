/** Operator limits in US dollars for users and projects without an individual limit. Null: unlimited. */
export interface DefaultLimits {
  userUsd: string | null;
  projectUsd: string | null;
}

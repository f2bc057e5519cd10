/** Limits in US dollars for users and projects without one of their own; null: unlimited. */
export interface DefaultLimits {
  userUsd: string | null;
  projectUsd: string | null;
}

import type { Viewer } from '../viewer.js';

/** The state of the rate limit of a key in its current window. */
export interface Allowance {
  /** Requests per window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, 1-60. */
  resetSeconds: number;
  /** When the window ends, in Unix seconds of the database clock. */
  resetAt: number;
  /** Whether this request is within the limit. Refused requests are not counted. */
  isGranted: boolean;
}

/** The viewer behind a key. `allowance` is null if the key has no limit or the request is not counted. */
export interface AuthResult {
  viewer: Viewer;
  allowance: Allowance | null;
}

import type { RequestContext } from '../../modules/accounts/request-context.js';
import type { Viewer } from '../../modules/accounts/viewer.js';
import { UnauthenticatedError } from '../../platform/errors/errors.js';
import type { Log } from '../../platform/logging/log.js';

/** The caller, or an error for missing or invalid credentials. Throws other errors, such as an unreachable database. */
export async function callerOf(contextFor: () => Promise<RequestContext>): Promise<Viewer | UnauthenticatedError> {
  try {
    return (await contextFor()).caller ?? new UnauthenticatedError();
  } catch (error) {
    if (error instanceof UnauthenticatedError) return error;
    throw error;
  }
}

export interface RecheckOptions {
  log: Log;
  /** Interval of the checks. */
  credentialsRecheckMs: number;
}

/** Checks the credentials of an open subscriber periodically, until the returned function is called. */
export function startRechecks(
  check: () => Promise<Viewer | UnauthenticatedError>,
  onInvalid: (error: UnauthenticatedError) => void,
  { log, credentialsRecheckMs }: RecheckOptions,
): () => void {
  const timer = setInterval(async () => {
    try {
      const caller = await check();
      if (caller instanceof UnauthenticatedError) onInvalid(caller);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'credentials of a subscriber not checked');
    }
  }, credentialsRecheckMs);
  timer.unref();
  return () => clearInterval(timer);
}

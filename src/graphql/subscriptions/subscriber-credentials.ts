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
  /** Time from the end of a check to the next one. */
  credentialsRecheckMs: number;
}

/**
 * Checks the credentials of an open subscriber periodically, until they are invalid or the returned function is called. A
 * slow check delays the next one. `onInvalid` is called at most once, and not after the returned function.
 */
export function startRechecks(
  check: () => Promise<Viewer | UnauthenticatedError>,
  onInvalid: (error: UnauthenticatedError) => void,
  { log, credentialsRecheckMs }: RecheckOptions,
): () => void {
  let isStopped = false;
  let timer = scheduleCheck();

  function scheduleCheck(): NodeJS.Timeout {
    return setTimeout(recheck, credentialsRecheckMs).unref();
  }

  async function recheck(): Promise<void> {
    try {
      const caller = await check();
      if (isStopped) return;
      if (caller instanceof UnauthenticatedError) return onInvalid(caller);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'credentials of a subscriber not checked');
    }
    if (!isStopped) timer = scheduleCheck();
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

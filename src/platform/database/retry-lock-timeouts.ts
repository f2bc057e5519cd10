import { setTimeout } from 'node:timers/promises';
import { isLockTimeout } from './database-errors.js';

export interface LockRetries {
  /** Maximum number of attempts, including the first one. */
  attempts: number;
  /** Milliseconds between two attempts, in which waiting requests for the same table pass. */
  pauseMs: number;
}

/** Repeats `work` after lock timeouts. Throws the last lock timeout, and any other error at once. */
export async function retryLockTimeouts(
  { attempts, pauseMs }: LockRetries,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error;
      await setTimeout(pauseMs);
    }
  }
}

import { eventually } from '../support/eventually.js';

const UNCHANGED_MS = 200;

/** Resolves with the number when it is positive and has not changed for a while. */
export async function untilUnchanged(read: () => number): Promise<number> {
  let before = -1;
  return eventually(
    async () => {
      await new Promise(resolve => setTimeout(resolve, UNCHANGED_MS));
      const now = read();
      const isUnchanged = now > 0 && now === before;
      before = now;
      return isUnchanged ? now : -1;
    },
    now => now > 0,
  );
}

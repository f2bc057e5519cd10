import { setTimeout } from 'node:timers/promises';

/** Resolves when the work does, at the latest after `ms` milliseconds. The work continues. Rejects if the work does before. */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, setTimeout(ms, undefined, { ref: false })]);
}

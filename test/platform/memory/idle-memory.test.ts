import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(300_000);

const program = fileURLToPath(new URL('./idle-memory.process.js', import.meta.url));

/** Megabytes of the young generation of a process after its start, and when it has had `patienceMs` of idleness. */
async function started(
  flags: string[],
  patienceMs: number,
  idleMs = 1_000,
): Promise<Record<'before' | 'after' | 'peak' | 'left', number>> {
  const args = ['--max-semi-space-size=16', ...flags, program, String(patienceMs), String(idleMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('releaseMemoryWhenIdle', () => {
  it('hands back what the start took, and what each burst took, once the process is idle', async () => {
    const { before, after, peak, left } = await started(['--expose-gc'], 120_000);
    expect(before).toBeGreaterThan(8);
    expect(after).toBeLessThan(4);
    // Of what an idle process holds, during a burst and after it.
    expect(peak).toBeGreaterThan(2);
    expect(left).toBeLessThan(1.3);
  });

  it('keeps what a burst left, compiled code with it, while the pause after it is short', async () => {
    const { left } = await started(['--expose-gc'], 4_000, 600_000);
    expect(left).toBeGreaterThan(1.3);
  });

  it('leaves a process alone that may not ask for it', async () => {
    const { after } = await started([], 2_500);
    expect(after).toBeGreaterThan(8);
  });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(300_000);

const program = fileURLToPath(new URL('./start-memory.process.js', import.meta.url));

/** Megabytes of the young generation of a process after its start, and when it has had `patienceMs` of quiet. */
async function started(
  flags: string[],
  patienceMs: number,
): Promise<Record<'before' | 'after' | 'peak' | 'left', number>> {
  const args = ['--max-semi-space-size=16', ...flags, program, String(patienceMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('releaseMemoryWhenQuiet', () => {
  it('hands back what the start took, and what each burst took, once the process is quiet', async () => {
    const { before, after, peak, left } = await started(['--expose-gc'], 120_000);
    expect(before).toBeGreaterThan(8);
    expect(after).toBeLessThan(4);
    // Of what an idle process holds, during a burst and after it.
    expect(peak).toBeGreaterThan(2);
    expect(left).toBeLessThan(1.3);
  });

  it('leaves a process alone that may not ask for it', async () => {
    const { after } = await started([], 2_500);
    expect(after).toBeGreaterThan(8);
  });
});

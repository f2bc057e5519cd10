import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('./start-memory.process.js', import.meta.url));

/** Megabytes of the young generation of a process after its start, and when it has had `patienceMs` of quiet. */
async function started(flags: string[], patienceMs: number): Promise<{ before: number; after: number }> {
  const args = ['--max-semi-space-size=16', ...flags, program, String(patienceMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('releaseStartMemory', () => {
  it('hands back what the start took once the process is quiet', async () => {
    const { before, after } = await started(['--expose-gc'], 20_000);
    expect(before).toBeGreaterThan(8);
    expect(after).toBeLessThan(4);
  });

  it('leaves a process alone that may not ask for it', async () => {
    const { after } = await started([], 2_500);
    expect(after).toBeGreaterThan(8);
  });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(300_000);

const program = fileURLToPath(new URL('./idle-memory.process.js', import.meta.url));

/**
 * Megabytes of the young generation of a process after its start (`before`) and after up to `timeoutMs` without work
 * (`after`); its heap during a burst (`peak`) and afterwards (`left`), as multiples of the idle heap.
 */
async function measureProcess(
  flags: string[],
  timeoutMs: number,
  idleMs = 1_000,
): Promise<Record<'before' | 'after' | 'peak' | 'left', number>> {
  const args = ['--max-semi-space-size=16', ...flags, program, String(timeoutMs), String(idleMs)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

describe('releaseMemoryWhenIdle', () => {
  it('releases the memory of the start, and of each burst, once the process is idle', async () => {
    const { before, after, peak, left } = await measureProcess(['--expose-gc'], 120_000);
    expect(before).toBeGreaterThan(8);
    expect(after).toBeLessThan(4);
    expect(peak).toBeGreaterThan(2);
    expect(left).toBeLessThan(1.3);
  });

  it('keeps the memory of a burst while the pause after it is short', async () => {
    const { left } = await measureProcess(['--expose-gc'], 4_000, 600_000);
    expect(left).toBeGreaterThan(1.3);
  });

  it('does nothing in a process without access to the collector', async () => {
    const { after } = await measureProcess([], 2_500);
    expect(after).toBeGreaterThan(8);
  });
});

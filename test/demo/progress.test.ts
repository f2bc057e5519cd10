import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { graph, node } from '../../src/demo/graph.js';
import { Progress } from '../../src/demo/progress.js';

const ESCAPE = '\u001b';
const twoNodes = graph([
  node('a', 'trigger-node', 'Begin', { next_nodes: ['b'] }),
  node('b', 'output-node', 'End', {}),
]);
const change = (id: string, status: string, ms: number, error: { message: string } | null = null) => ({
  at: new Date(ms).toISOString(),
  node: { nodeId: id, status, error },
});

function draw(terminal: object): string {
  const out = new PassThrough();
  const progress = new Progress(twoNodes, Object.assign(out, terminal) as unknown as NodeJS.WriteStream);
  progress.apply(change('a', 'RUNNING', 1_000));
  progress.apply(change('a', 'SUCCEEDED', 1_250));
  progress.apply({ at: new Date(1_300).toISOString(), node: null });
  progress.apply(change('b', 'FAILED', 1_300, { message: 'it broke' }));
  return String(out.read());
}

describe('the progress of a run', () => {
  it('is a line for each change where the output is not a terminal', () => {
    const lines = draw({}).split('\n');
    expect(lines.map(line => line.trim().replace(/ {2,}/g, ' '))).toEqual([
      '◐ Begin running',
      '● Begin done 250 ms',
      '✗ End failed',
      'it broke',
      '',
    ]);
  });

  it('is a coloured list that is redrawn in place on a terminal', () => {
    const frames = draw({ isTTY: true, columns: 100 })
      .split(`${ESCAPE}[2A${ESCAPE}[1G`)
      .map(frame => frame.replaceAll(ESCAPE, ''));
    expect(frames).toHaveLength(4);
    for (const frame of frames) expect(frame.split('\n')).toHaveLength(3);
    expect(frames[0]).toMatch(/Begin +waiting[\s\S]*End +waiting/);
    expect(frames[1]).toMatch(/\[33m +◐ Begin +running[\s\S]*\[90m +○ End +waiting/);
    expect(frames[3]).toMatch(/\[32m +● Begin +done +250 ms[\s\S]*\[31m +✗ End +failed/);
  });

  it('is never redrawn where its lines would wrap', () => {
    expect(draw({ isTTY: true, columns: 40 })).not.toContain(`${ESCAPE}[2A`);
  });
});

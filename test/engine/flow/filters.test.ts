import { describe, expect, test } from '@jest/globals';
import { list, output, run, trigger, workflow } from '../samples.js';

describe('a filter', () => {
  test.each([
    [{ operator: 'matches', value: '(' }, ['a']],
    [{ operator: 'matches', value: '\\pL{1000}y' }, Array.from({ length: 5_000 }, () => 'x'.repeat(100))],
    [{ operator: 'in', value: Array.from({ length: 1_000 }, () => 1) }, Array.from({ length: 2_000 }, () => 2)],
    [{ operator: 'between', value: [1] }, [1]],
    [{ operator: 'before', value: '2026-01-01' }, ['soon']],
  ])('that cannot compare, or costs too much, fails: case %#', async (operation, items) => {
    const nodes = [trigger('t'), list('l', items, [{ operation: 'filter', ...operation }]), output('o')];
    const end = (await run(workflow(nodes, ['t>l', 'l>o']))).at(-1);
    expect(end).toMatchObject({ type: 'run.failed', error: { code: 'invalid_condition' } });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Usage } from '../../../../src/engine/ports.js';
import { compileGraph } from '../../../../src/engine/workflow/graph/graph.js';
import type { RunEvent } from '../../../../src/engine/workflow/run/run-event.js';
import { chargeExternalRun } from '../../../../src/modules/workflow-runs/api/charge-external-run.sql.js';
import {
  type LedgerRow,
  ledgerRow,
  type NodeEnd,
  UnbilledUsage,
} from '../../../../src/modules/workflow-runs/journal/run-ledger.js';
import type { Database } from '../../../../src/platform/database/database.js';
import { openDatabase } from '../../../support/database.js';
import { chain, llm, trigger } from '../../../support/graphs.js';

const AT = '2026-01-02T03:04:05.678Z';
const usage = (costUsd: string | null, model = 'm'): Usage => ({
  provider: 'p',
  model,
  promptTokens: 1,
  completionTokens: 2,
  costUsd,
});
const succeeded = (node: string, more: Partial<NodeEnd> = {}) =>
  ({ type: 'node.succeeded', node, at: AT, content: '', ...more }) as NodeEnd;
const failed = (node: string, more: Partial<NodeEnd> = {}) =>
  ({
    type: 'node.failed',
    node,
    at: AT,
    error: { code: 'x', message: 'y' },
    continued: false,
    ...more,
  }) as NodeEnd;
const retrying = (node: string, costUsd: string, iteration?: string): RunEvent => ({
  type: 'node.retrying',
  node,
  at: AT,
  attempt: 1,
  error: { code: 'x', message: 'y' },
  usage: usage(costUsd),
  ...(iteration === undefined ? {} : { iteration }),
});
const numbered = (events: RunEvent[]) => events.map((event, index) => ({ ...event, sequence: index + 1 }));

describe('the ledger row of a node that ended', () => {
  const asking = llm('hello', 'm', { label: 'Ask' });
  const graph = compileGraph(chain(trigger(), asking));

  it('has the sum of all attempts', () => {
    const usages = [usage('0.1'), usage('0.2')];
    expect(ledgerRow({ runId: 'r', event: succeeded(asking.id), usages, graph })).toEqual({
      runId: 'r',
      nodeId: asking.id,
      iteration: '',
      operation: 'basic-node',
      status: 'Success',
      amountUsd: '0.3',
      serviceUsd: '0.3',
      reason: '',
      description: 'Ask',
      usage: usages,
    });
  });

  it('has the failed status, the iteration, and no usage', () => {
    expect(ledgerRow({ runId: 'r', event: failed(asking.id, { iteration: '2' }), usages: [], graph })).toMatchObject({
      iteration: '2',
      status: 'Error',
      amountUsd: '0',
      reason: '',
      usage: null,
    });
  });

  it('names the model whose price is unknown, and charges the others', () => {
    const usages = [usage('0.1'), usage(null, 'custom-model'), usage('0.2')];
    expect(ledgerRow({ runId: 'r', event: succeeded(asking.id), usages, graph })).toMatchObject({
      amountUsd: '0.3',
      reason: 'Not charged, because the price is unknown: custom-model.',
      usage: usages,
    });
  });

  it.each([
    ['a graph that cannot be read', null],
    ['a node that the graph does not have', graph],
  ])('has no operation for %s', (_title, known) => {
    const row = ledgerRow({ runId: 'r', event: succeeded('gone'), usages: [usage('0.1')], graph: known });
    expect(row).toMatchObject({ nodeId: 'gone', operation: 'unknown', description: '', amountUsd: '0.1' });
  });
});

describe('the usage of nodes that have not ended', () => {
  it('is kept by node and iteration until it is billed', () => {
    const unbilled = new UnbilledUsage();
    for (const event of [retrying('a', '1'), retrying('b', '2'), retrying('a', '4'), retrying('a', '8', '0')])
      unbilled.add(event);
    expect(costs(unbilled.all())).toEqual(['1', '4', '2', '8']);
    expect(costs(unbilled.take({ node: 'a' }).map(({ masked }) => masked))).toEqual(['1', '4']);
    expect(unbilled.take({ node: 'a' })).toEqual([]);
    expect(costs(unbilled.take({ node: 'a', iteration: '0' }).map(({ original }) => original))).toEqual(['8']);
    expect(costs(unbilled.take({ node: 'b', iteration: '' }).map(({ original }) => original))).toEqual(['2']);
    expect(unbilled.all()).toEqual([]);
  });

  it('is read from a journal: nodes that ended are billed, the others are not', () => {
    const events: RunEvent[] = [
      retrying('a', '1'),
      retrying('b', '2'),
      retrying('c', '4'),
      retrying('c', '8'),
      { type: 'node.step.succeeded', node: 'd', at: AT, step: 's', durable: true, content: '', usage: usage('16') },
      succeeded('a', { usage: usage('32') }),
      failed('b'),
    ];
    const journal = [...numbered(events), { type: 'run.cancelled' as const, at: AT, sequence: 9 }];
    expect(costs(new UnbilledUsage(journal).all())).toEqual(['4', '8', '16']);
  });

  it('has no entry for events without usage', () => {
    const unbilled = new UnbilledUsage();
    unbilled.add({ type: 'run.succeeded', at: AT, output: null });
    unbilled.add({ type: 'node.started', node: 'a', at: AT, attempt: 1 });
    unbilled.add(succeeded('a', { usage: undefined }));
    expect(unbilled.all()).toEqual([]);
    expect(unbilled.take({ node: 'a' })).toEqual([]);
  });

  it('is masked on the ledger, and in clear for its reservation', () => {
    const unbilled = new UnbilledUsage();
    const clear = { ...retrying('a', '1'), usage: usage('1', 'secret-model') } as RunEvent;
    unbilled.add({ ...retrying('a', '1'), usage: usage('1', '********') } as RunEvent, clear);
    expect(unbilled.all().map(({ model }) => model)).toEqual(['secret-model']);
    const [taken] = unbilled.take({ node: 'a' });
    expect([taken?.masked.model, taken?.original.model]).toEqual(['********', 'secret-model']);
  });

  const costs = (usages: Usage[]) => usages.map(({ costUsd }) => costUsd);
});

describe('ledger rows without an event', () => {
  let database: Database;
  let project: number;
  beforeAll(async () => {
    database = await openDatabase();
    const [row] = await database.query<{ id: number }>(`insert into project (name) values ('p') returning id`);
    project = row!.id;
    await database.query(`insert into workflow_revision (id, project_id, data) values (1, $1, '{}')`, [project]);
  });
  afterAll(() => database.close());

  async function run(): Promise<string> {
    const id = randomUUID();
    const insert = `insert into workflow_run (id, project_id, revision_id, state) values ($1, $2, 1, 'succeeded')`;
    await database.query(insert, [id, project]);
    return id;
  }

  const charge = (runId: string, rows: Partial<LedgerRow>[]) =>
    chargeExternalRun(
      database,
      runId,
      rows.map(row => ({ ...ledgerRow({ runId, event: succeeded('a'), usages: [], graph: null }), ...row })),
    );
  const costOf = async (runId: string) => {
    const [row] = await database.query<{ cost: string }>('select cost_usd as cost from workflow_run where id = $1', [
      runId,
    ]);
    return Number(row!.cost);
  };
  const spent = async () => {
    const [row] = await database.query<{ spent: string; reserved: string }>(
      'select total_spent_usd as spent, reserved_usd as reserved from project where id = $1',
      [project],
    );
    return [Number(row!.spent), Number(row!.reserved)];
  };

  it('are charged to the run and its project once, however often they arrive', async () => {
    const [charged, other] = [await run(), await run()];
    const [spentBefore, reservedBefore] = await spent();
    const rows = [
      { nodeId: 'a', amountUsd: '0.1' },
      { nodeId: 'a', iteration: '0', amountUsd: '0.02', status: 'Error' as const },
    ];
    await charge(charged, rows);
    await charge(charged, [...rows, { nodeId: 'b', amountUsd: '0.003' }]);
    expect(await costOf(charged)).toBeCloseTo(0.123, 10);
    expect(await costOf(other)).toBe(0);
    expect(await spent()).toEqual([expect.closeTo(spentBefore! + 0.123, 10), reservedBefore]);
  });

  it('are stored on the ledger unchanged', async () => {
    const id = await run();
    const usages = [usage('0.5')];
    await charge(id, [
      { reason: 'why', description: 'what', operation: 'basic-node', amountUsd: '0.5', usage: usages },
    ]);
    const columns =
      'run_id, project_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage';
    expect(await database.query(`select ${columns} from billing_transaction where run_id = $1`, [id])).toEqual([
      {
        run_id: id,
        project_id: project,
        node_id: 'a',
        iteration: '',
        user_id: null,
        operation: 'basic-node',
        status: 'Success',
        amount_usd: '0.5',
        reason: 'why',
        description: 'what',
        usage: usages,
      },
    ]);
  });

  it('are distinguished by every character of their key', async () => {
    const id = await run();
    const rows = [
      { nodeId: 'a1', iteration: '2' },
      { nodeId: 'a', iteration: '12' },
      { nodeId: 'a', iteration: '1', operation: '2' },
      { nodeId: '\\x61' },
      { nodeId: 'x61' },
      { nodeId: '\\\\x61' },
      { nodeId: 'ä€😀' },
      { nodeId: 'ä€😁' },
      { nodeId: '' },
    ].map(row => ({ operation: 'o', amountUsd: '1', ...row }));
    await charge(id, rows);
    await charge(id, rows);
    expect(await costOf(id)).toBe(rows.length);
  });

  it('cost nothing when there are none', async () => {
    const id = await run();
    const before = await spent();
    await charge(id, []);
    expect(await costOf(id)).toBe(0);
    expect(await spent()).toEqual(before);
  });
});

import { z } from 'zod';
import { isObject, type JsonObject, parseJsonText } from '../../json-value.js';
import { PortError } from '../../ports.js';
import { type Execution, nodeKind, oneOutput } from '../graph/node-kind.js';
import type { SettingMode } from '../graph/settings.js';
import { workflowIdSetting } from './subworkflow.js';

const DEFAULT_MAX_ITEMS = 1000;
const MAX_ITEMS = 10_000;

const loopSettings = (setting: SettingMode) =>
  z.looseObject({
    items: z
      .union([z.array(z.unknown()), z.string().min(1)])
      .describe('A list, or a text with placeholders that resolves to a JSON array.'),
    workflow_id: workflowIdSetting(setting)
      .nullish()
      .describe('Id of a workflow of the same project that runs for each item. Either this or `body`.'),
    body: z
      .looseObject({ nodes: z.array(z.unknown()).describe('The nodes of the graph, including its start node.') })
      .nullish()
      .describe(
        'A graph (`nodes`, `edges`, `start_node`) that runs for each item. Its nodes can refer to the input of the round as `input`, to each other, and to the nodes before the loop. Node ids must be unique in the whole workflow. Either this or `workflow_id`.',
      ),
    concurrency: setting
      .value(z.number().int().min(1).max(20))
      .nullish()
      .describe('Maximum number of rounds that run at the same time, 1-20. Default 1.'),
    max_items: setting
      .value(z.number().int().min(1).max(MAX_ITEMS))
      .nullish()
      .describe('Maximum number of items, 1-10000. More items fail the node. Default 1000.'),
  });
type Settings = z.infer<ReturnType<typeof loopSettings>>;

export const loop = nodeKind({
  type: 'loop-node',
  nodeType: 'LoopNode',
  title: 'Loop',
  description:
    'Runs a graph or another workflow for each item of a list. The input of a round is `{item, index}`, plus the members of the item if it is an object. The content is a JSON array of the outputs of the rounds, in the order of the items. A failed round fails the loop.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { items: '{{ previous.content }}', concurrency: 1, max_items: DEFAULT_MAX_ITEMS },
  defaultTimeout: null,
  isTimedAsWhole: true,
  bodyMember: 'body',
  verbatimMembers: ['body'],
  settings: loopSettings,
  references: ({ workflow_id: value }) =>
    value === undefined || value === null ? [] : [{ kind: 'workflow', path: 'workflow_id', value }],
  check: ({ workflow_id: id, body }, { workflowId }) => {
    const hasId = id !== undefined && id !== null;
    const hasBody = body !== undefined && body !== null;
    if (!hasId && !hasBody) return [{ path: 'body', message: 'required without workflow_id' }];
    if (hasId && hasBody) return [{ path: 'body', message: 'must be absent if workflow_id is set' }];
    if (!hasId || id !== workflowId) return [];
    return [{ path: 'workflow_id', message: 'must be another workflow, because a workflow cannot call itself' }];
  },
  execute: async execution => {
    const { settings, steps } = execution;
    // The items are recorded, so that a resumed run has the same rounds even if the template renders differently.
    const items = JSON.parse(
      await steps.call({ name: 'items' }, async () => ({ content: JSON.stringify(itemsOf(settings)) })),
    ) as unknown[];
    const round = settings.body ? inBody(execution) : inWorkflow(execution, settings.workflow_id ?? 0);
    const results: unknown[] = new Array(items.length);
    await runSequentially(items.length, settings.concurrency ?? 1, async (index, signal) => {
      const item = items[index];
      results[index] = await round(index, { ...(isObject(item) ? item : {}), item, index }, signal);
    });
    return { content: JSON.stringify(results) };
  },
});

function itemsOf({ items: source, max_items }: Settings): unknown[] {
  const items = typeof source === 'string' ? parseJsonText(source) : source;
  if (!Array.isArray(items)) throw new PortError('invalid_items', 'items must resolve to a JSON array');
  const most = max_items ?? DEFAULT_MAX_ITEMS;
  if (items.length > most)
    throw new PortError('too_many_items', `items has ${items.length} items, but max_items is ${most}`);
  return items;
}

type Round = (index: number, input: JsonObject, signal: AbortSignal) => Promise<unknown>;

function inBody({ rounds }: Execution<Settings>): Round {
  return (index, input) => rounds.run(index, input);
}

function inWorkflow({ steps, deadline }: Execution<Settings>, workflowId: number): Round {
  return async (index, input, signal) => {
    const step = { name: `round ${index}`, tool: `workflow ${workflowId}` };
    const until = deadline === null ? {} : { until: deadline };
    const end = await steps.subRun(step, { workflowId, input, signal, ...until });
    if (end.status === 'succeeded') return end.content;
    throw new PortError(
      'subworkflow_failed',
      `the sub-run ${end.runId} of round ${index} failed: ${end.error.message}`,
    );
  };
}

/**
 * Calls `work` for each index below `count`, at most `width` at the same time. The first failure stops the others and
 * is thrown after all have settled.
 */
async function runSequentially(
  count: number,
  width: number,
  work: (index: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count && failures.length === 0) {
      try {
        await work(next++, stop.signal);
      } catch (error) {
        failures.push(error);
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  if (failures.length > 0) throw failures[0];
}

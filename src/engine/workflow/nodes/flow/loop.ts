import { conditionWarnings } from '../../../conditions/condition-schema.js';
import { isObject, type JsonObject, parseJsonText } from '../../../json-value.js';
import { PortError } from '../../../ports.js';
import { type Execution, type IterationEnd, type KindFault, nodeKind, oneOutput } from '../../graph/node-kind.js';
import { type ExecuteIteration, outputsOf, runConcurrently } from './iterations.js';
import { DEFAULT_MAX_ITEMS, type LoopSettings, loopForm, loopSettings } from './loop-settings.js';
import { isRepeated, repeat } from './repeat.js';

export const loop = nodeKind({
  type: 'loop-node',
  nodeType: 'LoopNode',
  title: 'Loop',
  description:
    'Runs a graph or another workflow for each item or batch of a list, or repeats it while or until a condition holds. The input of an iteration is `{item, index}`, plus the members of the item if it is an object. The content is a JSON array of the outputs of the iterations, in the order of the items. By default a failed iteration fails the loop.',
  category: 'logic',
  effects: 'steps',
  outputs: oneOutput,
  defaults: { items: '{{ previous.content }}', concurrency: 1, max_items: DEFAULT_MAX_ITEMS },
  defaultTimeout: null,
  isTimedAsWhole: true,
  bodyMember: 'body',
  verbatimMembers: ['body'],
  isLate: path => path === 'condition',
  form: loopForm,
  settings: loopSettings,
  references: ({ workflow_id: value }) =>
    value === undefined || value === null ? [] : [{ kind: 'workflow', path: 'workflow_id', value }],
  warnings: ({ condition }) => conditionWarnings(condition, 'condition'),
  check: (data, { workflowId }) => [...checkTarget(data, workflowId), ...checkRepeat(data)],
  execute: async execution => {
    const { settings } = execution;
    const executeIteration = settings.body ? bodyExecutor(execution) : workflowExecutor(execution);
    const ends = isRepeated(settings)
      ? await repeat(settings, executeIteration)
      : await forEach(execution, executeIteration);
    return { content: JSON.stringify(outputsOf(ends, settings)) };
  },
});

function checkTarget({ workflow_id: id, body }: JsonObject, workflowId: number | null | undefined): KindFault[] {
  const hasId = id !== undefined && id !== null;
  const hasBody = body !== undefined && body !== null;
  if (!hasId && !hasBody) return [{ path: 'body', message: 'required without workflow_id' }];
  if (hasId && hasBody) return [{ path: 'body', message: 'must be absent if workflow_id is set' }];
  if (!hasId || id !== workflowId) return [];
  return [{ path: 'workflow_id', message: 'must be another workflow, because a workflow cannot call itself' }];
}

function checkRepeat({ repeat: mode, items, condition }: JsonObject): KindFault[] {
  const code = 'invalid_setting';
  if (mode === 'while' || mode === 'until')
    return isObject(condition) ? [] : [{ code, path: 'condition', message: `required if repeat is ${mode}` }];
  return items === undefined || items === null ? [{ code, path: 'items', message: 'required' }] : [];
}

function bodyExecutor({ iterations, settings }: Execution<LoopSettings>): ExecuteIteration {
  if (stopsAtFailure(settings)) return async (index, input) => ({ output: await iterations.run(index, input) });
  return (index, input) => iterations.tryRun(index, input);
}

function stopsAtFailure({ on_item_error }: LoopSettings): boolean {
  return (on_item_error ?? 'stop') === 'stop';
}

function workflowExecutor({ steps, deadline, settings }: Execution<LoopSettings>): ExecuteIteration {
  const workflowId = settings.workflow_id ?? 0;
  return async (index, input, signal) => {
    // The name is part of recorded journals, so it must not change.
    const step = { name: `round ${index}`, tool: `workflow ${workflowId}` };
    const until = deadline === null ? {} : { until: deadline };
    const end = await steps.executeSubRun(step, { workflowId, input, signal, ...until });
    if (end.status === 'succeeded') return { output: end.content };
    if (!stopsAtFailure(settings)) return { error: end.error };
    throw new PortError(
      'subworkflow_failed',
      `the sub-run ${end.runId} of iteration ${index} failed: ${end.error.message}`,
    );
  };
}

async function forEach(
  { settings, steps }: Execution<LoopSettings>,
  executeIteration: ExecuteIteration,
): Promise<IterationEnd[]> {
  // The items are recorded, so that a resumed run has the same iterations even if the template renders differently.
  const items = JSON.parse(
    await steps.call({ name: 'items' }, async () => ({ content: JSON.stringify(itemsOf(settings)) })),
  ) as unknown[];
  const inputs = iterationInputs(items, settings.batch_size);
  const ends: IterationEnd[] = new Array(inputs.length);
  await runConcurrently(inputs.length, settings.concurrency ?? 1, async (index, signal) => {
    ends[index] = await executeIteration(index, inputs[index] ?? {}, signal);
  });
  return ends;
}

function iterationInputs(items: readonly unknown[], batchSize: number | null | undefined): JsonObject[] {
  if (!batchSize) return items.map((item, index) => ({ ...(isObject(item) ? item : {}), item, index }));
  const inputs: JsonObject[] = [];
  for (let from = 0; from < items.length; from += batchSize)
    inputs.push({ item: items.slice(from, from + batchSize), index: inputs.length });
  return inputs;
}

function itemsOf({ items: source, max_items }: LoopSettings): unknown[] {
  const items = typeof source === 'string' ? parseJsonText(source) : source;
  if (!Array.isArray(items)) throw new PortError('invalid_items', 'items must resolve to a JSON array');
  const max = max_items ?? DEFAULT_MAX_ITEMS;
  if (items.length > max)
    throw new PortError('too_many_items', `items has ${items.length} items, but max_items is ${max}`);
  return items;
}

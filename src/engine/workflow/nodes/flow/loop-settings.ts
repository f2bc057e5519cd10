import { z } from 'zod';
import { conditionSchema } from '../../../conditions/condition-schema.js';
import type { FieldCondition, NodeForm } from '../../graph/node-form.js';
import type { SettingMode } from '../../graph/settings.js';
import { workflowIdSetting } from './subworkflow.js';

export const DEFAULT_MAX_ITEMS = 1000;
const MAX_ITEMS = 10_000;
export const DEFAULT_MAX_ITERATIONS = 100;
const MAX_ITERATIONS = 1000;
const MAX_BATCH = 1000;

/** The condition of a repeated loop, which is rendered before or after each iteration. */
export const loopCondition = conditionSchema().describe(
  'The condition, as in `if-else-node`, required if `repeat` is `while` or `until`. It reads the usual placeholders, `args.index` (the number of finished iterations), `args.output` (the output of the last iteration, empty at first) and `args.json` (the same parsed as JSON).',
);

/** Settings of the loop node. */
export const loopSettings = (setting: SettingMode) =>
  z.looseObject({
    repeat: z
      .enum(['for_each', 'while', 'until'])
      .nullish()
      .describe(
        '`for_each` (default): once for each item. `while`: as long as the condition holds before an iteration. `until`: until the condition holds after an iteration.',
      ),
    items: z
      .union([z.array(z.unknown()), z.string().min(1)])
      .nullish()
      .describe(
        'A list, or a text with placeholders that resolves to a JSON array. Required if `repeat` is `for_each`.',
      ),
    condition: setting
      .late(loopCondition)
      .nullish()
      .describe(loopCondition.description ?? ''),
    workflow_id: workflowIdSetting(setting)
      .nullish()
      .describe('Id of a workflow of the same project that runs in each iteration. Either this or `body`.'),
    body: z
      .looseObject({ nodes: z.array(z.unknown()).describe('The nodes of the graph, including its start node.') })
      .nullish()
      .describe(
        'A graph (`nodes`, `edges`, `start_node`) that runs in each iteration. Its nodes can refer to the input of the iteration as `input`, to each other, and to the nodes before the loop. Node ids must be unique in the whole workflow. Either this or `workflow_id`.',
      ),
    on_item_error: z
      .enum(['stop', 'skip', 'collect'])
      .nullish()
      .describe(
        'Reaction to a failed iteration: `stop` (default) fails the loop, `skip` leaves the iteration out of the content, `collect` puts `{index, error: {code, message}}` in its place.',
      ),
    concurrency: setting
      .value(z.number().int().min(1).max(20))
      .nullish()
      .describe(
        'Maximum number of iterations that run at the same time, 1-20. Default 1. Iterations of `while` and `until` run one after another.',
      ),
    batch_size: setting
      .value(z.number().int().min(1).max(MAX_BATCH))
      .nullish()
      .describe(
        'Number of items of one iteration, 1-1000. `item` is then a list; the last one may be shorter. Absent: each iteration has one item.',
      ),
    max_items: setting
      .value(z.number().int().min(1).max(MAX_ITEMS))
      .nullish()
      .describe('Maximum number of items, 1-10000. More items fail the node with `too_many_items`. Default 1000.'),
    max_rounds: setting
      .value(z.number().int().min(1).max(MAX_ITERATIONS))
      .nullish()
      .describe(
        'Maximum number of iterations of `while` and `until`, 1-1000. A loop that would need more fails with `too_many_rounds`. Default 100.',
      ),
  });
export type LoopSettings = z.infer<ReturnType<typeof loopSettings>>;

const hasCondition: FieldCondition = { path: 'repeat', equals: ['while', 'until'] };

/** Form of the loop node. */
export const loopForm: NodeForm = {
  icon: 'repeat',
  color: '#ea580c',
  fields: {
    repeat: { title: 'Repeat', widget: 'select' },
    items: { title: 'Items', widget: 'textarea' },
    'condition.left': { title: 'Left side', widget: 'text', showIf: hasCondition },
    'condition.operator': { title: 'Operator', widget: 'select', showIf: hasCondition },
    'condition.right': { title: 'Right side', widget: 'text', showIf: hasCondition },
    'condition.ignore_case': { title: 'Ignore case', widget: 'switch', group: 'advanced', showIf: hasCondition },
    'condition.combine': {
      title: 'Combine the conditions by',
      widget: 'select',
      group: 'advanced',
      showIf: hasCondition,
    },
    'condition.conditions': { title: 'Group of conditions', widget: 'json', group: 'advanced', showIf: hasCondition },
    workflow_id: { title: 'Workflow for each iteration', widget: 'workflow', optionsFrom: 'workflows' },
    body: { title: 'Graph for each iteration', widget: 'graph' },
    on_item_error: { title: 'If an iteration fails', widget: 'select' },
    concurrency: { title: 'Iterations at the same time', widget: 'number', group: 'advanced' },
    batch_size: { title: 'Items in one iteration', widget: 'number', group: 'advanced' },
    max_items: { title: 'Maximum number of items', widget: 'number', group: 'advanced' },
    max_rounds: { title: 'Maximum number of iterations', widget: 'number', group: 'advanced', showIf: hasCondition },
  },
  content: { sample: '["first", "second"]', schema: { type: 'array' } },
};

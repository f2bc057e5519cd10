import { z } from 'zod';
import { type Condition, holds } from '../../../conditions/condition.js';
import { conditionSchema, conditionWarnings, optionalLeftPaths } from '../../../conditions/condition-schema.js';
import { nodeKind } from '../../graph/node-kind.js';
import { testCondition } from './test-condition.js';

const TRUE = 'condition-true';
const FALSE = 'condition-false';

export const ifElse = nodeKind({
  type: 'if-else-node',
  nodeType: 'IfElseNode',
  title: 'If / else',
  description:
    'Tests a condition, or a group of conditions, and selects one of two branches. The content is `true` or `false`.',
  category: 'logic',
  effects: 'none',
  outputs: [
    { handle: TRUE, title: 'True', description: 'Followed when the condition is true.' },
    { handle: FALSE, title: 'False', description: 'Followed when the condition is false.' },
  ],
  defaults: { condition: { left: '', operator: '==', right: '' } },
  isInstant: true,
  form: {
    icon: 'arrows-split-2',
    color: '#ea580c',
    fields: {
      condition: { title: 'Condition', widget: 'condition' },
      true_node: { title: 'Next node if true', widget: 'hidden' },
      false_node: { title: 'Next node if false', widget: 'hidden' },
    },
    content: { sample: 'true', schema: { type: 'boolean' } },
  },
  settings: () =>
    z.looseObject({
      condition: conditionSchema().describe('The condition: one comparison, or a group of conditions.'),
      true_node: target(
        'UUID of the next node if the condition is true. Absent: the targets of the edges with the handle `condition-true`.',
      ),
      false_node: target(
        'UUID of the next node if the condition is false. Absent: the targets of the edges with the handle `condition-false`.',
      ),
    }),
  branches: data => [
    { handle: TRUE, member: 'true_node', targets: data.true_node },
    { handle: FALSE, member: 'false_node', targets: data.false_node },
  ],
  branchOf: content => (content === 'true' ? TRUE : FALSE),
  optionalPaths: ({ condition }) => optionalLeftPaths(condition, 'condition'),
  warnings: ({ condition }) => conditionWarnings(condition, 'condition'),
  execute: ({ settings: { condition } }) => {
    const isMet = testCondition(() => holds(condition as Condition));
    return { content: String(isMet), branch: isMet ? TRUE : FALSE };
  },
});

function target(description: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .describe(description);
}

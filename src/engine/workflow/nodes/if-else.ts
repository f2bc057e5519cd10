import { z } from 'zod';
import { compare, operators } from '../graph/compare.js';
import { nodeKind } from '../graph/node-kind.js';

const TRUE = 'condition-true';
const FALSE = 'condition-false';

export const ifElse = nodeKind({
  type: 'if-else-node',
  nodeType: 'IfElseNode',
  title: 'If / else',
  description: 'Compares two values and selects one of two branches. The content is `true` or `false`.',
  category: 'logic',
  effects: 'none',
  outputs: [
    { handle: TRUE, title: 'True', description: 'Followed when the condition is true.' },
    { handle: FALSE, title: 'False', description: 'Followed when the condition is false.' },
  ],
  defaults: { condition: { left: '', operator: '==', right: '' } },
  isInstant: true,
  settings: () =>
    z.looseObject({
      condition: z
        .looseObject({
          left: z.unknown().describe('Left side: a text with placeholders, or any value.'),
          operator: z
            .enum(operators)
            .describe('Compares as numbers if both sides are numbers or numeric texts, otherwise as texts.'),
          right: z.unknown().describe('Right side: a text with placeholders, or any value.'),
        })
        .superRefine((condition, context) => {
          for (const side of ['left', 'right'] as const) {
            if (condition[side] === undefined) context.addIssue({ code: 'custom', path: [side], message: 'required' });
          }
        })
        .describe('The condition.'),
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
  execute: ({ settings: { condition } }) => {
    const holds = compare(condition.left, condition.operator, condition.right);
    return { content: String(holds), branch: holds ? TRUE : FALSE };
  },
});

function target(description: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .describe(description);
}

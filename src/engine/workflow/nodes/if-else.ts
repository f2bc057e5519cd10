import { z } from 'zod';
import { compare, operators } from '../graph/compare.js';
import { nodeKind } from '../graph/node-kind.js';

const TRUE = 'condition-true';
const FALSE = 'condition-false';

export const ifElse = nodeKind({
  type: 'if-else-node',
  nodeType: 'IfElseNode',
  title: 'If / else',
  description: 'Compares two values and goes on with one of two branches. Its content is `true` or `false`.',
  category: 'logic',
  effects: 'none',
  outputs: [
    { handle: TRUE, title: 'True', description: 'Followed when the condition holds.' },
    { handle: FALSE, title: 'False', description: 'Followed when the condition does not hold.' },
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
            .describe('Compares as numbers when both sides are numbers (or spell one), as texts otherwise.'),
          right: z.unknown().describe('Right side: a text with placeholders, or any value.'),
        })
        .superRefine((condition, context) => {
          for (const side of ['left', 'right'] as const) {
            if (condition[side] === undefined) context.addIssue({ code: 'custom', path: [side], message: 'required' });
          }
        })
        .describe('The condition.'),
      true_node: target('UUID of the node that follows when the condition holds. Absent: the edges decide.'),
      false_node: target('UUID of the node that follows when the condition does not hold. Absent: the edges decide.'),
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

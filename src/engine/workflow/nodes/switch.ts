import { z } from 'zod';
import { isObject, textOf } from '../../json-value.js';
import { compare } from '../graph/compare.js';
import { type Branch, nodeKind } from '../graph/node-kind.js';

const DEFAULT = 'default';
const handleOf = (index: number) => `case-${index}`;

export const switchNode = nodeKind({
  type: 'switch-node',
  nodeType: 'SwitchNode',
  title: 'Switch',
  description:
    'Selects the branch of the first case that equals the value. The content is that case, or `default` if none matches.',
  category: 'logic',
  effects: 'none',
  outputs: [
    {
      handle: 'case-0',
      title: 'Case',
      description: 'One output for each case, numbered from 0: `case-0`, `case-1` and so on.',
    },
    { handle: DEFAULT, title: 'Default', description: 'Followed when no case matches.' },
  ],
  defaults: { value: '', cases: [] },
  isInstant: true,
  settings: () =>
    z.looseObject({
      value: z
        .unknown()
        .refine(value => value !== undefined, 'required')
        .describe('The value to compare: a text with placeholders, or any value.'),
      cases: z
        .array(
          z.looseObject({
            equals: z
              .unknown()
              .refine(value => value !== undefined, 'required')
              .describe(
                'Value of the case. Compared as numbers if both are numbers or numeric texts, otherwise as texts.',
              ),
            next_nodes: z
              .array(z.string())
              .nullish()
              .describe('UUIDs of the next nodes. Absent: the targets of the edges with this case as `sourceHandle`.'),
          }),
        )
        .max(100)
        .describe('The cases, at most 100. The first match is selected.'),
      default_nodes: z
        .array(z.string())
        .nullish()
        .describe(
          'UUIDs of the next nodes if no case matches. Absent: the targets of the edges with the handle `default`.',
        ),
    }),
  branches: data => [
    ...casesOf(data).map(
      (option, index): Branch => ({
        handle: handleOf(index),
        member: `cases.${index}.next_nodes`,
        targets: isObject(option) ? option.next_nodes : undefined,
      }),
    ),
    { handle: DEFAULT, member: 'default_nodes', targets: data.default_nodes },
  ],
  branchOf: (content, data) => {
    const index = casesOf(data).findIndex(option => isObject(option) && textOf(option.equals) === content);
    return index === -1 ? DEFAULT : handleOf(index);
  },
  execute: ({ settings: { value, cases } }) => {
    const index = cases.findIndex(option => compare(value, '==', option.equals));
    const matched = cases[index];
    return matched
      ? { content: textOf(matched.equals), branch: handleOf(index) }
      : { content: DEFAULT, branch: DEFAULT };
  },
});

function casesOf(data: Record<string, unknown>): unknown[] {
  return Array.isArray(data.cases) ? data.cases : [];
}

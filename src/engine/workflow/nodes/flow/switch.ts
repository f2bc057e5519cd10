import { z } from 'zod';
import {
  CONDITION_OPERATORS,
  type ConditionOperator,
  comparesTexts,
  isMet,
  isUnary,
} from '../../../conditions/condition.js';
import { comparisonFaults, comparisonMembers, rightSideWarnings } from '../../../conditions/condition-schema.js';
import { isObject, textOf } from '../../../json-value.js';
import { BRANCH_SEPARATOR, type Branch, nodeKind } from '../../graph/node-kind.js';
import { testCondition } from './test-condition.js';

const DEFAULT = 'default';
/** The field whose value decides which others are shown. */
const OPERATOR = 'cases.*.operator';
const BINARY = CONDITION_OPERATORS.filter(operator => !isUnary(operator));
const TEXT = CONDITION_OPERATORS.filter(comparesTexts);
const handleOf = (index: number) => `case-${index}`;

export const switchNode = nodeKind({
  type: 'switch-node',
  nodeType: 'SwitchNode',
  title: 'Switch',
  description:
    'Selects the branch of the first case that matches the value, or of every case. The content is the value or handle of that case, with `match: all` a JSON array of them, or `default` if none matches.',
  category: 'logic',
  effects: 'none',
  outputs: [
    {
      handle: 'case-0',
      title: 'Case',
      description: 'One output for each case, numbered from 0: `case-0`, `case-1` and so on.',
      list: 'cases',
    },
    { handle: DEFAULT, title: 'Default', description: 'Followed when no case matches.' },
  ],
  defaults: { value: '', cases: [] },
  isInstant: true,
  form: {
    icon: 'route-alt-left',
    color: '#ea580c',
    fields: {
      value: { title: 'Value to compare', widget: 'text' },
      cases: { title: 'Cases', widget: 'list' },
      'cases.*.operator': { title: 'Comparison', widget: 'select' },
      'cases.*.equals': { title: 'Equals', widget: 'text', showIf: { path: OPERATOR, equals: [''] } },
      'cases.*.right': { title: 'Compare with', widget: 'text', showIf: { path: OPERATOR, equals: BINARY } },
      'cases.*.ignore_case': { title: 'Ignore case', widget: 'switch', showIf: { path: OPERATOR, equals: TEXT } },
      'cases.*.next_nodes': { title: 'Next nodes', widget: 'hidden' },
      match: { title: 'Select', widget: 'select', group: 'advanced' },
      default_nodes: { title: 'Next nodes if no case matches', widget: 'hidden' },
    },
    content: { sample: 'refund' },
  },
  settings: () =>
    z.looseObject({
      value: z
        .unknown()
        .refine(value => value !== undefined, 'required')
        .describe('The value to compare: a text with placeholders, or any value.'),
      cases: z
        .array(
          z
            .looseObject({
              equals: z
                .unknown()
                .optional()
                .describe(
                  'Value of the case. Compared as numbers if both are numbers or numeric texts, otherwise as texts. Required without `operator`.',
                ),
              ...comparisonMembers,
              next_nodes: z
                .array(z.string())
                .nullish()
                .describe(
                  'UUIDs of the next nodes. Absent: the targets of the edges with this case as `sourceHandle`.',
                ),
            })
            .superRefine((option, context) => {
              for (const fault of caseFaults(option)) context.addIssue({ code: 'custom', ...fault });
            }),
        )
        .max(100)
        .describe('The cases, at most 100, in the order in which they are tested.'),
      match: z
        .enum(['first', 'all'])
        .nullish()
        .describe('`first` (default) selects the first case that matches, `all` every case that matches.'),
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
  warnings: data =>
    casesOf(data).flatMap((option, index) =>
      isObject(option) ? rightSideWarnings(option, `cases.${index}.right`) : [],
    ),
  execute: ({ settings: { value, cases, match } }) => {
    const matching: { content: string; branch: string }[] = [];
    for (const [index, option] of cases.entries()) {
      if (!testCondition(() => isMatch(value, option))) continue;
      const branch = handleOf(index);
      matching.push({ content: option.operator ? branch : textOf(option.equals), branch });
      if (match !== 'all') break;
    }
    const [first] = matching;
    if (!first) return { content: DEFAULT, branch: DEFAULT };
    if (match !== 'all') return first;
    return {
      content: JSON.stringify(matching.map(({ content }) => content)),
      branch: matching.map(({ branch }) => branch).join(BRANCH_SEPARATOR),
    };
  },
});

interface Case {
  equals?: unknown;
  operator?: ConditionOperator | null | undefined;
  right?: unknown;
  ignore_case?: boolean | null | undefined;
}

function isMatch(left: unknown, { equals, operator, right, ignore_case }: Case): boolean {
  return isMet({ left, operator: operator ?? '==', right: operator ? right : equals, ignore_case });
}

function caseFaults({ equals, operator, right }: Case): { path: (string | number)[]; message: string }[] {
  if (operator) return comparisonFaults({ operator, right });
  return equals === undefined ? [{ path: ['equals'], message: 'required' }] : [];
}

function casesOf(data: Record<string, unknown>): unknown[] {
  return Array.isArray(data.cases) ? data.cases : [];
}

import { chain, field, type GraphData, node, output, template, trigger } from '../../support/graphs.js';
import { failing, type GraphCase, named, type ProjectIds, sequence, wired } from '../graph-case.js';

const end = (id: string, value = id) => named(id, 'output-node', { value });

/** The workflow that graphs of this group run. */
export const SUBWORKFLOW = chain(trigger(field('name')), output('sub {{ input.name }}'));
/** Sends its input as an event, so that a run that does not wait for it learns of it. */
export const REPORTING = chain(
  trigger(field('name')),
  node('send-event-node', { event: 'reported', correlation_key: '{{ run.id }}', payload: '{{ input }}' }),
);
/** The error workflow of `FAILING`: it sends the error as an event. */
export const HANDLER = chain(
  trigger(),
  node('send-event-node', {
    event: 'handled',
    correlation_key: '{{ input.run_id }}',
    payload: '{{ input.node_id }} {{ input.error.code }}',
  }),
);
export const FAILING = (error_workflow_id: number): GraphData =>
  chain(
    node('trigger-node', { input_fields: [], error_workflow_id }),
    named('broken', 'code-node', { code: 'throw new Error("x")' }),
  );

/** Starts a run without waiting for it, and waits for an event with its id as the correlation key. */
const detached = (workflow: string, event: string, value: string) =>
  wired(
    [
      named('s', 'subworkflow-node', {
        workflow_id: `{{ input.${workflow} }}`,
        input: { name: 'Ada' },
        detached: true,
      }),
      named('w', 'wait-node', { event, correlation_key: '{{ nodes.s.content }}' }),
      end('received', value),
      end('expired'),
    ],
    ['t>s', 's>w', 'w:received>received', 'w:expired>expired'],
  );

const decided = (data: object, value: string) =>
  wired(
    [
      named('a', 'approval-node', { title: 'Pay?', approval_timeout_seconds: 600, ...data }),
      end('approved', value),
      end('rejected', value),
      end('expired'),
    ],
    ['t>a', 'a:approved>approved', 'a:rejected>rejected', 'a:expired>expired'],
  );

/** Graphs with other runs, decisions of people and files of the input. */
export const RUNS: GraphCase[] = [
  {
    ...sequence(
      'subworkflow: its output',
      [node('subworkflow-node', { workflow_id: '{{ input.workflow }}', input: { name: 'Ada' } })],
      'sub Ada',
    ),
    input: ({ workflow }: ProjectIds) => ({ workflow }),
  },
  {
    ...sequence(
      'subworkflow: a detached run',
      [
        node('subworkflow-node', { workflow_id: '{{ input.workflow }}', detached: true }),
        template('{{ length(previous.content) }}'),
      ],
      36,
    ),
    input: ({ workflow }: ProjectIds) => ({ workflow }),
  },
  failing(
    'subworkflow: an unknown one',
    [node('subworkflow-node', { workflow_id: 2_000_000_000 })],
    'unknown_workflow',
  ),
  {
    name: 'approval: no decision in time',
    data: wired(
      [named('a', 'approval-node', { title: 'Pay?', approval_timeout_seconds: 1 }), end('approved'), end('expired')],
      ['t>a', 'a:approved>approved', 'a:expired>expired'],
    ),
    output: 'expired',
  },
  {
    name: 'subworkflow: the input of a detached run',
    data: detached('reporting', 'reported', '{{ nodes.w.json.name }}'),
    input: ({ reporting }: ProjectIds) => ({ reporting }),
    output: 'Ada',
  },
  {
    name: 'error workflow: the error of a detached run',
    data: detached('failing', 'handled', '{{ nodes.w.content }}'),
    input: ({ failing }: ProjectIds) => ({ failing }),
    output: 'broken code_error',
  },
  {
    ...sequence(
      'loop: a run of a workflow for each item',
      [node('loop-node', { items: [{ name: 'Ada' }, { name: 'Bob' }], workflow_id: '{{ input.workflow }}' })],
      ['sub Ada', 'sub Bob'],
    ),
    input: ({ workflow }: ProjectIds) => ({ workflow }),
  },
  {
    name: 'approval: approved',
    data: decided({}, '{{ nodes.a.json.decision }}: {{ nodes.a.json.comment }}'),
    decision: { verdict: 'approve', comment: 'Fine.' },
    output: 'approved: Fine.',
  },
  {
    name: 'approval: rejected',
    data: decided({}, '{{ nodes.a.json.decision }}: {{ nodes.a.json.comment }}'),
    decision: { verdict: 'reject', comment: 'Too much.' },
    output: 'rejected: Too much.',
  },
  {
    name: 'approval: a form',
    data: decided(
      { fields: [{ name: 'amount', type: 'number', is_required: true }, { name: 'note' }] },
      '{{ nodes.a.json.values }}',
    ),
    decision: { verdict: 'approve', edited_arguments: { amount: 20, note: 'x' } },
    output: { amount: 20, note: 'x' },
  },
  {
    name: 'input: a file',
    data: chain(
      trigger(field('file', { type: 'file', input_requirements: true })),
      named('read', 'file-node', { operation: 'read', file: '{{ input.file }}' }),
      output('{{ input.file.name }}: {{ nodes.read.content }}'),
    ),
    input: ({ file }: ProjectIds) => ({ file }),
    output: 'note.txt: the text of a file',
  },
];

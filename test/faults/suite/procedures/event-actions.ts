import { randomUUID } from 'node:crypto';
import { eventually } from '../../../support/eventually.js';
import { chain, field, http, llm, node, output, trigger } from '../../../support/graphs.js';
import { type Action, type ActionTarget, createWorkflow, pendingRun, post, read, startFaults } from '../actions.js';

const PAYLOAD = 'delivered';

/** Sends an event with a key. It continues a run that waits for it, and a trigger starts another run. */
export const sentEvent: Action = async target => {
  const receivers = await createReceivers(target);
  const path = `projects/${target.project}/workflow-events/`;
  return async url => {
    await post(url, path, { name: receivers.name, payload: PAYLOAD }, receivers.name);
    return { isFinished: receivers.areFinished, faults: receivers.faults };
  };
};

/** Starts a run that sends the event of `sentEvent`. A process that dies with the event leaves one event. */
export const eventOfRun: Action = async target => {
  const receivers = await createReceivers(target);
  const send = node('send-event-node', { event: receivers.name, payload: PAYLOAD });
  const workflow = await createWorkflow(target, chain(trigger(), send, output()));
  return async url => {
    const { id } = (await post(url, `workflows/${workflow}/run/`, {})).body.data;
    const run = pendingRun(target, id, 'succeeded');
    return {
      isFinished: async () => (await run.isFinished()) && receivers.areFinished(),
      faults: async () => [
        ...(await run.faults()),
        ...(await startFaults(target, workflow, 1)),
        ...(await receivers.faults()),
      ],
    };
  };
};

/** Starts a run that fails. Its error workflow and a failure trigger each start one run. */
export const failure: Action = async target => {
  const handler = await createPaidWorkflow(target);
  const triggered = await createPaidWorkflow(target);
  const start = node('trigger-node', { input_fields: [], error_workflow_id: handler });
  const workflow = await createWorkflow(target, chain(start, http('http://127.0.0.1:1/'), output('never')));
  const watch = await createTrigger(target, triggered, { failure: { workflows: [workflow] } });
  return async url => {
    const { id } = (await post(url, `workflows/${workflow}/run/`, {})).body.data;
    return {
      isFinished: async () =>
        (await isEachEnded(target, [workflow, handler, triggered])) && (await logOf(target, watch)).length > 0,
      faults: async () => [
        ...(await pendingRun(target, id, 'failed').faults()),
        ...(await onceFaults(target, handler)),
        ...(await onceFaults(target, triggered)),
        ...logFaults(await logOf(target, watch)),
      ],
    };
  };
};

/** Creates a run that waits for an event, and an event trigger. */
async function createReceivers(target: ActionTarget) {
  const { sql } = target.fixture;
  const name = `event-${randomUUID()}`;
  const wait = node('wait-node', { event: name });
  const data = chain(trigger(), wait, output('{{ previous.content }}'));
  data.edges.at(-1)!.sourceHandle = 'received';
  const waiting = await createWorkflow(target, data);
  const triggered = await createPaidWorkflow(target);
  const watch = await createTrigger(target, triggered, { event: { name, mapping: { text: '{{ input.payload }}' } } });
  const { id } = (await post(target.url, `workflows/${waiting}/run/`, {})).body.data;
  const state = async () =>
    (await sql<{ state: string }>('select state from workflow_run where id = $1', [id]))[0]?.state;
  await eventually(state, current => current === 'waiting');
  const run = pendingRun(target, id, 'succeeded');
  const events = () =>
    sql<{ at: Date | null }>('select delivered_at as at from workflow_event where name = $1', [name]);
  return {
    name,
    areFinished: async () =>
      (await run.isFinished()) &&
      (await isEachEnded(target, [triggered])) &&
      (await events()).every(({ at }) => at !== null) &&
      (await logOf(target, watch)).length > 0,
    faults: async () => {
      const result = (await read(target, `workflows/workflow_result/?id=${id}`)).body.data;
      const found = JSON.stringify([(await events()).length, result?.output]);
      const expected = JSON.stringify([1, PAYLOAD]);
      return [
        ...(found === expected ? [] : [`events and received payload are ${found}, not ${expected}`]),
        ...(await run.faults()),
        ...(await onceFaults(target, waiting, { isPaid: false })),
        ...(await onceFaults(target, triggered)),
        ...logFaults(await logOf(target, watch)),
      ];
    },
  };
}

/** A workflow of three nodes with a paid call. */
function createPaidWorkflow(target: ActionTarget): Promise<number> {
  return createWorkflow(target, chain(trigger(field('text')), llm('Hello', 'gpt-4o-mini'), output()));
}

async function createTrigger(target: ActionTarget, workflow: number, settings: object): Promise<number> {
  return (await post(target.url, `workflows/${workflow}/triggers/`, { name: 'Faults', ...settings })).body.id;
}

/** Whether each workflow has a run, and no run that has not ended. */
async function isEachEnded({ fixture }: ActionTarget, workflows: number[]): Promise<boolean> {
  const rows = await fixture.sql<{ isEnded: boolean }>(
    `select bool_and(run_finished_at is not null) as "isEnded" from workflow_run where workflow_id = any($1) group by workflow_id`,
    [workflows],
  );
  return rows.length === workflows.length && rows.every(({ isEnded }) => isEnded);
}

/** Describes what is wrong unless the workflow of three nodes has one run, which succeeded and was billed once. */
async function onceFaults(target: ActionTarget, workflow: number, { isPaid = true } = {}): Promise<string[]> {
  const runs = await target.fixture.sql('select cost_usd > 0 as paid from workflow_run where workflow_id = $1', [
    workflow,
  ]);
  const found = JSON.stringify(runs);
  const expected = JSON.stringify([{ paid: isPaid }]);
  const faults = await startFaults(target, workflow, 1);
  return found === expected ? faults : [...faults, `workflow ${workflow} has the runs ${found}, not ${expected}`];
}

async function logOf({ fixture }: ActionTarget, id: number): Promise<string[]> {
  const rows = await fixture.sql<{ outcome: string }>('select outcome from trigger_firing where trigger_id = $1', [id]);
  return rows.map(({ outcome }) => outcome);
}

function logFaults(outcomes: string[]): string[] {
  return outcomes.join() === 'started' ? [] : [`the log of the trigger is ${outcomes.join()}`];
}

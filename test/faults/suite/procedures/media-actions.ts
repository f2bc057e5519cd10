import { randomUUID } from 'node:crypto';
import { chain, llm, node, output, trigger } from '../../../support/graphs.js';
import { type Action, createScenario, createWorkflow, pendingRun, post, read, startFaults } from '../actions.js';

/**
 * Starts a run that pays for an image, speech and its transcription. After the death of any process, the image and the speech have one
 * file each, and each of the five nodes has one ledger row.
 */
export const mediaRun: Action = async target => {
  const settings = (model_name: string) => ({ settings: { model_name } });
  const image = node('image-node', { prompt: 'A cat', ...settings('gpt-image-1') });
  const speech = node('speech-node', { text: 'Hello', ...settings('gpt-4o-mini-tts') });
  const written = node('transcription-node', { file: '{{ previous.content }}', ...settings('gpt-4o-transcribe') });
  const workflow = await createWorkflow(target, chain(trigger(), image, speech, written, output()));
  return async url => {
    const { id } = (await post(url, `workflows/${workflow}/run/`, {})).body.data;
    const run = pendingRun(target, id, 'succeeded');
    return {
      ...run,
      faults: async () => {
        const [row] = await target.fixture.sql(
          `select (select count(*)::int from project_file where run_id = r.id) as files,
                  (select count(*)::int from billing_transaction where run_id = r.id) as rows,
                  r.cost_usd = (select sum(amount_usd) from billing_transaction where run_id = r.id) as right
             from workflow_run r where r.id = $1`,
          [id],
        );
        const found = JSON.stringify(row);
        return [...(await run.faults()), ...(found === MEDIA ? [] : [`run ${id} has ${found}, not ${MEDIA}`])];
      },
    };
  };
};

const MEDIA = '{"files":2,"rows":5,"right":true}';

/** Runs a scenario whose message returns an image. */
export const imageMessage: Action = async target => {
  const parameters = { model_name: 'gpt-image-1' };
  const id = await createScenario(target, 'positive', { return_type: 'image', parameters });
  const key = randomUUID();
  return async url => {
    const run = (await post(url, 'scenarioruns/run/', { scenario: id }, key)).body.id;
    const get = async () => (await read(target, `scenarioruns/${run}/`)).body;
    return {
      isFinished: async () => !['created', 'in_progress'].includes((await get()).status),
      faults: async () => {
        const images = await target.fixture.sql('select 1 from scenario_run_file where run_id = $1', [run]);
        const found = JSON.stringify([(await get()).status, images.length]);
        return found === '["finished",1]' ? [] : [`the run of the scenario with an image is ${found}`];
      },
    };
  };
};

/** Runs a scenario whose message runs a workflow. */
export const workflowMessage: Action = async target => {
  const workflow = await createWorkflow(target, chain(trigger(), llm('Hello', 'gpt-4o-mini'), output()));
  const id = await createScenario(target, 'user', { provider: 'workflow', parameters: { workflow_id: workflow } });
  const key = randomUUID();
  return async url => {
    const run = (await post(url, 'scenarioruns/run/', { scenario: id }, key)).body.id;
    const get = async () => (await read(target, `scenarioruns/${run}/`)).body;
    return {
      isFinished: async () => !['created', 'in_progress'].includes((await get()).status),
      faults: async () => {
        const { status, final_result } = await get();
        const found = status === 'finished' && final_result ? [] : [`the scenario of a workflow is ${status}`];
        return [...found, ...(await startFaults(target, workflow, 1))];
      },
    };
  };
};

import { eventually } from '../support/eventually.js';
import { formOf } from '../support/forms.js';
import { pdf } from '../support/sample-documents.js';
import type { TestService } from '../support/service.js';
import { bearer } from '../support/sessions.js';

const PAGES = [
  'Returns. Customers return a parcel within thirty days. The return label is in the parcel.\n\nA refund takes five working days after the parcel arrives.',
  'Shipping. Express shipping takes one working day, standard shipping takes four working days.\n\nThe tracking number is in the shipping message.',
  'Sizes. The size table lists small, medium and large sizes. A size exchange is free within thirty days.',
];
const STATES = `query ($run: Int!, $recognition: Int!) {
  scenarioRun(id: $run) { status }
  recognitionRun(id: $recognition) { status }
}`;
const KEYWORDS = 'query ($id: Int!) { keywordRun(id: $id) { status } }';

/**
 * Creates a scenario with a loop and a finished run, a document with chunks, and keywords with clusters. `access` is the access token of
 * the user. docs/scenarios.md explains the placeholders `<variable>` and `<message>`.
 */
export async function createContent(service: TestService, access: string, project: number) {
  const asUser = bearer(access);
  const create = async (route: string, body: object) =>
    ((await service.rest('POST', `/api/v1/${route}/`, { ...asUser, body })).body as { id: number }).id;
  const variable = await create('variables', {
    project,
    key: 'Language',
    variable_names: ['English', 'French', 'Portuguese'].map(name => ({ name, value: name })),
  });
  const prompt = (key: string, role: string, content: string, conditions: object[] = []) =>
    create('prompts', { project, key, role, content, prompt_conditions: conditions });
  const rules = await prompt(
    'Tone',
    'system',
    'You answer customers in a friendly tone and in at most three sentences.',
  );
  const ask = await prompt(
    'Reply',
    'user',
    `Write a reply about a late parcel in <variable>-1,${variable},1</variable>.`,
  );
  const parameters = { model_name: 'echo', temperature: 0.2 };
  const loop = { is_loop: true, loop_variable: variable };
  const replies = await create('messages', { project, key: 'Replies', prompts: [rules, ask], parameters, ...loop });
  const sum = await prompt('Summary', 'user', `Summarize the reply: <message>0,${replies}</message>`, [
    { type: 'message', matching: 'empty', value: '', action: 'skip', message: replies, is_enabled: true },
  ]);
  const summary = await create('messages', { project, key: 'Summary of the replies', prompts: [sum], parameters });
  const { data } = await service.graphql('{ categories(size: 1) { items { id } } }');
  const scenario = await create('scenarios', {
    project,
    name: 'Replies in every language',
    short_description: 'Writes one reply for each language and sums them up.',
    category: data.categories.items[0].id,
    messages: [replies, summary],
    run_fee: 0,
    free_runs_per_user: 0,
  });
  const scenarioRun = await create('scenarioruns/run', { scenario });
  const body = formOf({ project: String(project) }, { file1: ['Customer handbook.pdf', pdf(PAGES)] });
  const uploaded = await service.rest('POST', '/api/v1/documents/', { ...asUser, body });
  const [document] = uploaded.body as { id: number }[];
  const recognition = await create('recognitionruns', { project, document: document?.id, chunk_size: 50 });
  const states = async () => (await service.graphql(STATES, { run: scenarioRun, recognition })).data;
  await eventually(states, one => [one.scenarioRun, one.recognitionRun].every(run => run.status === 'SUCCEEDED'));
  const keywordRun = await create('keywordruns', {
    project,
    topic: 'shipping parcel size',
    // At most 25 keywords.
    preset: 2,
    do_clusterize: true,
  });
  const state = async () => (await service.graphql(KEYWORDS, { id: keywordRun })).data.keywordRun.status;
  await eventually(state, status => status === 'SUCCEEDED');
  return { scenario, scenarioRun, document: document?.id ?? 0, keywordRun };
}

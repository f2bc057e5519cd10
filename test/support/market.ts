import { awaitFinish } from '../rest/workflows/finished-run.js';
import { chain, field, type GraphData, llm, output, trigger } from './graphs.js';
import type { TestService } from './service.js';

/** Cost of a call of `soldGraph` with the prices of the stub upstream. */
export const AI_USD = '0.00045';

/** trigger → model → output: the workflow that an author sells. */
export function soldGraph(...fields: Record<string, unknown>[]): GraphData {
  return chain(
    trigger(field('topic'), ...fields),
    llm('Write about {{ input.topic }}', 'gpt-4o-mini'),
    output('{{ previous.content }}'),
  );
}

export interface Person {
  key: string;
  project: number;
  email: string;
}

/** Creates a user with a project. */
export async function createPerson(service: TestService, name: string): Promise<Person> {
  const { key, email } = await service.createUser(name);
  const { body } = await service.rest('POST', '/api/v1/projects/', { key, body: { name } });
  return { key, email, project: body.id };
}

export interface SoldWorkflow {
  workflow: number;
  /** Id of the run that is both the template run and the example run. */
  run: string;
  slug: string;
}

/** Publishes a workflow with a run that is its template and its example. */
export async function sell(
  service: TestService,
  author: Person,
  more: Record<string, unknown> = {},
  data: GraphData = soldGraph(),
): Promise<SoldWorkflow> {
  const make = async (path: string, body: unknown) => {
    const answer = await service.rest('POST', path, { key: author.key, body });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const market = { market_title: 'A title', short_description: 'About', available_languages: ['en'] };
  const { id: workflow } = await make('/api/v1/workflows/', {
    project: author.project,
    title: 'Original',
    data,
    ...market,
    ...more,
  });
  const run = (await make(`/api/v1/workflows/${workflow}/run/`, { topic: 'cats' })).data.id;
  await awaitFinish(service, run, author.key);
  const flags = `/api/v1/workflows/${workflow}/history/${run}`;
  await make(`${flags}/toggle-marketplace-use/`, { use_as_marketplace_template: true });
  await make(`${flags}/toggle-marketplace-example/`, { use_in_marketplace_example: true });
  const { slug } = await make(`/api/v1/workflows/${workflow}/publish-on-marketplace/`, undefined);
  return { workflow, run, slug };
}

/** Copies a published workflow into a project of another user. */
export async function copyFromMarketplace(service: TestService, { key, project }: Person, slug: string) {
  const path = `/api/v1/workflows/marketplace/${slug}/add-from-marketplace/`;
  const { status, body } = await service.rest('POST', path, { key, body: { project } });
  if (status !== 201) throw new Error(`copying answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Runs a workflow to its end. Returns the run. */
export async function runToEnd(
  service: TestService,
  key: string,
  workflow: number,
  input: unknown = { topic: 'dogs' },
) {
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { key, body: input });
  await awaitFinish(service, body.data.id, key);
  return (await service.rest('GET', `/api/v1/workflows/${workflow}/history/${body.data.id}/`, { key })).body;
}

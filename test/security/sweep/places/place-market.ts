import { testConfig } from '../../../support/config.js';
import { pureGraph } from '../../../support/run-graphs.js';
import type { TestService } from '../../../support/service.js';
import { COPIES } from './place-copies.js';

/** Requirements of publishing a workflow, in addition to a template. */
export const MARKET = { market_title: 'Shown', short_description: 'About', available_languages: ['en'] };

export interface MarketListing {
  slug: string;
  /** A run that the marketplace shows. */
  example: string;
}

/** Ends a run that no worker executes. */
export async function endRun(service: TestService, run: string): Promise<void> {
  const { serviceToken } = testConfig(service.database);
  const reported = await service.rest('POST', `/api/v1/workflows/execution-update/${run}/`, {
    key: null,
    headers: { Authorization: `Bearer ${serviceToken}` },
    body: { status: 'succeed', sequence: 1, data: {} },
  });
  if (reported.status !== 200) throw new Error(`reporting answered ${reported.status}`);
}

/** A workflow on the marketplace, of an author who is a member of none of the places. */
export async function showWorkflow(service: TestService): Promise<MarketListing> {
  const post = async (path: string, body?: unknown) => {
    const answer = await service.rest('POST', path, body === undefined ? {} : { body });
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: project } = await post('/api/v1/projects/', { name: 'Shown' });
  const { id } = await post('/api/v1/workflows/', { project, title: 'Shown', data: pureGraph(), ...MARKET });
  const example = (await post(`/api/v1/workflows/${id}/run/`, { topic: 'cats' })).data.id;
  await endRun(service, example);
  const run = `/api/v1/workflows/${id}/history/${example}`;
  await post(`${run}/toggle-marketplace-use/`, { use_as_marketplace_template: true });
  await post(`${run}/toggle-marketplace-example/`, { use_in_marketplace_example: true });
  return { slug: (await post(`/api/v1/workflows/${id}/publish-on-marketplace/`)).slug, example };
}

/** Makes the workflow of each place a copy of a published one, under the terms that are offered. */
export async function giveTerms(service: TestService, ids: string, slug: string): Promise<void> {
  await service.sql(
    `with made as (
       insert into market_terms (workflow_id, project_id, run_fee, free_runs)
       select m.id, p.project, 0, 0 from ${COPIES} cross join workflow m where m.slug = $2 returning id, project_id)
     update workflow w set market_terms_id = made.id from made where w.project_id = made.project_id`,
    [ids, slug],
  );
}

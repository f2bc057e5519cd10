import type { Fixture } from './fixtures/fixtures.js';
import { BAD_REQUEST_IF_FORBIDDEN, type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const workflow = { id: (fixture: Fixture) => fixture.workflow };
const ended = { ...workflow, run_id: (fixture: Fixture) => fixture.ended };
const slug = { slug: (fixture: Fixture) => fixture.slug };
const example = { ...slug, run_id: (fixture: Fixture) => fixture.example };
const open: RestRowOptions = { namesObject: false };

/** The marketplace, the catalog, and publishing. */
export const REST_MARKET_ROWS: RestRow[] = [
  row('GET /api/v1/all-workflows/', 'user'),
  row('GET /api/v1/all-workflows/{id}/', READ_RULE, workflow),
  row('POST /api/v1/all-workflows/{id}/add-bookmark/', READ_RULE, workflow),
  row('DELETE /api/v1/all-workflows/{id}/delete-bookmark/', READ_RULE, workflow),
  row('GET /api/v1/projects/{id}/earnings/', READ_RULE, { id: fixture => fixture.project }),

  row('GET /api/v1/workflows/marketplace/', 'public'),
  row('GET /api/v1/workflows/marketplace/{slug}/', 'public', slug, open),
  row('GET /api/v1/workflows/marketplace/{slug}/examples/', 'public', slug, open),
  row('GET /api/v1/workflows/marketplace/{slug}/examples/{run_id}/', 'public', example, open),
  row('POST /api/v1/workflows/marketplace/{slug}/add-from-marketplace/', { action: 'workflow.create' }, slug, {
    body: fixture => ({ project: fixture.project }),
    missing: '400',
  }),

  row(
    'POST /api/v1/workflows/{id}/publish-on-marketplace/',
    { action: 'workflow.publish' },
    workflow,
    BAD_REQUEST_IF_FORBIDDEN,
  ),
  row('GET /api/v1/workflows/{id}/gaps/', READ_RULE, workflow),
  row('GET /api/v1/workflows/{id}/terms/', READ_RULE, workflow),
  row('POST /api/v1/workflows/{id}/terms/accept/', { action: 'workflow.accept-terms' }, workflow, {
    body: () => ({ run_fee: 0, free_runs_per_user: 0 }),
  }),
  row(
    'POST /api/v1/workflows/{id}/unpublish-from-marketplace/',
    { action: 'workflow.unpublish' },
    workflow,
    BAD_REQUEST_IF_FORBIDDEN,
  ),
  row(
    'POST /api/v1/workflows/{id}/history/{run_id}/toggle-marketplace-example/',
    { action: 'workflow.mark-example' },
    ended,
    { ...BAD_REQUEST_IF_FORBIDDEN, body: () => ({ use_in_marketplace_example: true }) },
  ),
  row(
    'POST /api/v1/workflows/{id}/history/{run_id}/toggle-marketplace-use/',
    { action: 'workflow.mark-template' },
    ended,
    { ...BAD_REQUEST_IF_FORBIDDEN, body: () => ({ use_as_marketplace_template: true }) },
  ),
];

import type { Fixture } from '../fixtures/fixtures.js';
import { type RestRow, type RestRowOptions, restRow as row } from '../rows.js';

const rehearse = { action: 'workflow.rehearse' } as const;
const READ_RULE = { action: 'project.read' } as const;
const workflow = { id: (fixture: Fixture) => fixture.workflow };
const project = { id: (fixture: Fixture) => fixture.project };
const rehearsal = { rehearsal_id: (fixture: Fixture) => fixture.rehearsal };
const body = (value: object): RestRowOptions => ({ body: () => ({ budget_usd: '0', ...value }) });

export const REST_REHEARSAL_ROWS: RestRow[] = [
  row('POST /api/v1/workflows/{id}/publish-check/', rehearse, workflow, body({})),
  row('POST /api/v1/workflows/{id}/what-if/', rehearse, workflow, body({ node_id: 'if', prompt: 'New' })),
  // The bad run has not ended.
  row('POST /api/v1/workflows/{id}/bisect/', rehearse, workflow, {
    status: 400,
    body: fixture => ({ budget_usd: '0', good_run: fixture.ended, bad_run: fixture.run }),
  }),
  row('GET /api/v1/workflows/{id}/rehearsals/', READ_RULE, workflow),
  row('GET /api/v1/rehearsals/{rehearsal_id}/', READ_RULE, rehearsal),
  row('GET /api/v1/rehearsals/{rehearsal_id}/runs/', READ_RULE, rehearsal),
  row('POST /api/v1/rehearsals/{rehearsal_id}/cancel/', rehearse, rehearsal),
  row('GET /api/v1/projects/{id}/publish-check/', READ_RULE, project),
  row('PUT /api/v1/projects/{id}/publish-check/', { action: 'project.update' }, project, {
    body: () => ({ requirement: 'no_failures' }),
  }),
];

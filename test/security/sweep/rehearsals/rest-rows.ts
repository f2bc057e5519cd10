import type { Place } from '../places/places.js';
import { type RestRow, type RestRowOptions, restRow as row } from '../rows.js';

const rehearse = { action: 'workflow.rehearse' } as const;
const read = { action: 'project.read' } as const;
const workflow = { id: (place: Place) => place.workflow };
const project = { id: (place: Place) => place.project };
const rehearsal = { rehearsal_id: (place: Place) => place.rehearsal };
const body = (value: object): RestRowOptions => ({ body: () => ({ budget_usd: '0', ...value }) });

export const REST_REHEARSAL_ROWS: RestRow[] = [
  row('POST /api/v1/workflows/{id}/publish-check/', rehearse, workflow, body({})),
  row('POST /api/v1/workflows/{id}/what-if/', rehearse, workflow, body({ node_id: 'if', prompt: 'New' })),
  // The bad run has not ended.
  row('POST /api/v1/workflows/{id}/bisect/', rehearse, workflow, {
    status: 400,
    body: place => ({ budget_usd: '0', good_run: place.ended, bad_run: place.run }),
  }),
  row('GET /api/v1/workflows/{id}/rehearsals/', read, workflow),
  row('GET /api/v1/rehearsals/{rehearsal_id}/', read, rehearsal),
  row('GET /api/v1/rehearsals/{rehearsal_id}/runs/', read, rehearsal),
  row('POST /api/v1/rehearsals/{rehearsal_id}/cancel/', rehearse, rehearsal),
  row('GET /api/v1/projects/{id}/publish-check/', read, project),
  row('PUT /api/v1/projects/{id}/publish-check/', { action: 'project.update' }, project, {
    body: () => ({ requirement: 'no_failures' }),
  }),
];

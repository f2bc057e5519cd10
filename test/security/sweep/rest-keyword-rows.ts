import type { Fixture } from './fixtures/fixtures.js';
import { BAD_REQUEST_IF_MISSING, type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const UPDATE_RULE = { action: 'keyword-run.update' } as const;
const keyword = { id: (fixture: Fixture) => fixture.keyword };
const run = { id: (fixture: Fixture) => fixture.keywordrun };
const ofProject: RestRowOptions = { namesObject: true, query: fixture => ({ project: fixture.project }) };

/** REST routes of keywords and keyword runs, with the required right and the parameters. */
export const REST_KEYWORD_ROWS: RestRow[] = [
  row('GET /api/v1/keywords/', 'user', {}, ofProject),
  row(
    'POST /api/v1/keywords/',
    { action: 'keyword.create' },
    {},
    {
      ...BAD_REQUEST_IF_MISSING,
      body: fixture => ({ name: 'dogs', project: fixture.project, keywordrun: fixture.keywordrun }),
    },
  ),
  row('GET /api/v1/keywords/{id}/', READ_RULE, keyword),
  row('PATCH /api/v1/keywords/{id}/', { action: 'keyword.update' }, keyword, { body: () => ({ name: 'dogs' }) }),
  row('DELETE /api/v1/keywords/{id}/', { action: 'keyword.delete' }, keyword),

  row('GET /api/v1/keywordruns/', 'user', {}, ofProject),
  row(
    'POST /api/v1/keywordruns/',
    { action: 'keyword-run.create' },
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, topic: 'dogs' }) },
  ),
  row('GET /api/v1/keywordruns/{id}/', READ_RULE, run),
  row('PATCH /api/v1/keywordruns/{id}/', UPDATE_RULE, run, { body: () => ({ preset: 2 }) }),
  row('DELETE /api/v1/keywordruns/{id}/', { action: 'keyword-run.delete' }, run),
  ...['clusterize', 'enable_all', 'disable_all'].map(verb =>
    row(`POST /api/v1/keywordruns/{id}/${verb}/`, UPDATE_RULE, run),
  ),
];

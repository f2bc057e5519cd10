import type { Fixture } from './fixtures/fixtures.js';
import { type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'keyword-run.update' } as const;
const keyword = { id: (fixture: Fixture) => fixture.keyword };
const run = { id: (fixture: Fixture) => fixture.keywordrun };
/** An input member that names an object the caller cannot access is a bad value. */
const named: RestRowOptions = { namesSomething: true, missing: '400' };
const ofProject: RestRowOptions = { ...named, query: fixture => ({ project: fixture.project }) };

/** Keywords and keyword runs. */
export const REST_KEYWORD_ROWS: RestRow[] = [
  row('GET /api/v1/keywords/', read, {}, ofProject),
  row(
    'POST /api/v1/keywords/',
    { action: 'keyword.create' },
    {},
    { ...named, body: fixture => ({ name: 'dogs', project: fixture.project, keywordrun: fixture.keywordrun }) },
  ),
  row('GET /api/v1/keywords/{id}/', read, keyword),
  row('PATCH /api/v1/keywords/{id}/', { action: 'keyword.update' }, keyword, { body: () => ({ name: 'dogs' }) }),
  row('DELETE /api/v1/keywords/{id}/', { action: 'keyword.delete' }, keyword),

  row('GET /api/v1/keywordruns/', read, {}, ofProject),
  row(
    'POST /api/v1/keywordruns/',
    { action: 'keyword-run.create' },
    {},
    { ...named, body: fixture => ({ project: fixture.project, topic: 'dogs' }) },
  ),
  row('GET /api/v1/keywordruns/{id}/', read, run),
  row('PATCH /api/v1/keywordruns/{id}/', change, run, { body: () => ({ preset: 2 }) }),
  row('DELETE /api/v1/keywordruns/{id}/', { action: 'keyword-run.delete' }, run),
  ...['clusterize', 'enable_all', 'disable_all'].map(verb =>
    row(`POST /api/v1/keywordruns/{id}/${verb}/`, change, run),
  ),
];

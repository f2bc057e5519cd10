import { SEEDED_CATEGORY } from './fixtures/fixture-parts.js';
import type { Fixture } from './fixtures/fixtures.js';
import {
  BAD_REQUEST_IF_FORBIDDEN,
  BAD_REQUEST_IF_MISSING,
  type RestRow,
  type RestRowOptions,
  restRow as row,
} from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const ofProject: RestRowOptions = { query: fixture => ({ project: fixture.project }), namesObject: true };

/**
 * The six routes of scenarios and of each of their parts. A list of a project that the caller cannot access is empty.
 */
function partRows(
  part: 'variable' | 'prompt' | 'message' | 'scenario',
  creation: (fixture: Fixture) => object,
  change: object,
): RestRow[] {
  const all = `/api/v1/${part}s/`;
  const id = { id: (fixture: Fixture) => fixture[part] };
  return [
    row(`GET ${all}`, 'user', {}, ofProject),
    row(
      `POST ${all}`,
      { action: `${part}.create` },
      {},
      { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, ...creation(fixture) }) },
    ),
    row(`GET ${all}{id}/`, READ_RULE, id),
    row(`PATCH ${all}{id}/`, { action: `${part}.update` }, id, { body: () => change }),
    row(`DELETE ${all}{id}/`, { action: `${part}.delete` }, id),
    row(`POST ${all}{id}/reorder/`, { action: `${part}.reorder` }, id, {
      ...BAD_REQUEST_IF_FORBIDDEN,
      body: () => ({ sort_id: 1 }),
    }),
  ];
}

/** Categories, scenarios and their parts. */
export const REST_PART_ROWS: RestRow[] = [
  row('GET /api/v1/categories/', 'user'),
  ...partRows('variable', () => ({ key: 'new', variable_names: [] }), { key: 'new' }),
  ...partRows('prompt', () => ({ key: 'new', role: 'user', content: 'Hi' }), { key: 'new' }),
  ...partRows('message', fixture => ({ key: 'new', prompts: [fixture.prompt] }), { key: 'new' }),
  ...partRows(
    'scenario',
    fixture => ({
      name: 'New',
      category: SEEDED_CATEGORY,
      run_fee: 0,
      free_runs_per_user: 0,
      messages: [fixture.message],
    }),
    { name: 'New' },
  ),
];

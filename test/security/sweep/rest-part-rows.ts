import { SEEDED_CATEGORY } from './places/place-parts.js';
import type { Place } from './places/places.js';
import { type RestRow, type RestRowOptions, restRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
/** An input member that names an object the caller cannot access is a bad value. */
const named: RestRowOptions = { namesSomething: true, missing: '400' };
const ofProject: RestRowOptions = { query: place => ({ project: place.project }), namesSomething: true };

/**
 * The six routes of scenarios and of each of their parts. A list of a project that the caller cannot access is empty.
 */
function partRows(
  part: 'variable' | 'prompt' | 'message' | 'scenario',
  creation: (place: Place) => object,
  change: object,
): RestRow[] {
  const all = `/api/v1/${part}s/`;
  const id = { id: (place: Place) => place[part] };
  return [
    row(`GET ${all}`, 'user', {}, ofProject),
    row(
      `POST ${all}`,
      { action: `${part}.create` },
      {},
      { ...named, body: place => ({ project: place.project, ...creation(place) }) },
    ),
    row(`GET ${all}{id}/`, read, id),
    row(`PATCH ${all}{id}/`, { action: `${part}.update` }, id, { body: () => change }),
    row(`DELETE ${all}{id}/`, { action: `${part}.delete` }, id),
    row(`POST ${all}{id}/reorder/`, { action: `${part}.reorder` }, id, {
      weak: '400 permission_denied',
      body: () => ({ sort_id: 1 }),
    }),
  ];
}

/** Categories, scenarios and their parts. */
export const REST_PART_ROWS: RestRow[] = [
  row('GET /api/v1/categories/', 'user'),
  ...partRows('variable', () => ({ key: 'new', variable_names: [] }), { key: 'new' }),
  ...partRows('prompt', () => ({ key: 'new', role: 'user', content: 'Hi' }), { key: 'new' }),
  ...partRows('message', place => ({ key: 'new', prompts: [place.prompt] }), { key: 'new' }),
  ...partRows(
    'scenario',
    place => ({
      name: 'New',
      category: SEEDED_CATEGORY,
      run_fee: 0,
      free_runs_per_user: 0,
      messages: [place.message],
    }),
    { name: 'New' },
  ),
];

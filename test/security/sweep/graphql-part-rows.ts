import { randomUUID } from 'node:crypto';
import { SEEDED_CATEGORY } from './places/place-parts.js';
import type { Place } from './places/places.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };
/** The request names an object, and only administrators learn whether it exists. */
const hidden: GraphQLRowOptions = { namesSomething: true };

/**
 * The six fields of scenarios and of each of their parts. A list of a project that the caller cannot access is empty.
 */
function partRows(
  part: 'variable' | 'prompt' | 'message' | 'scenario',
  creation: (place: Place) => object,
  change: object,
): GraphQLRow[] {
  const id = (place: Place) => ({ id: place[part] });
  return [
    row(`${part}s`, 'user', place => ({ filter: { projectId: place.project } }), { namesSomething: true }),
    row(part, { action: 'project.read' }, id),
    row(
      `${part}Create`,
      { action: `${part}.create` },
      place => ({ input: { projectId: place.project, ...creation(place) } }),
      named,
    ),
    row(`${part}Update`, { action: `${part}.update` }, place => ({ ...id(place), input: change })),
    row(`${part}Delete`, { action: `${part}.delete` }, id),
    row(`${part}Reorder`, { action: `${part}.reorder` }, place => ({ ...id(place), sortId: 1 })),
  ];
}

function categoryRows(kind: 'category' | 'subcategory'): GraphQLRow[] {
  return [
    row(`${kind}Update`, 'administrator', place => ({ id: place[kind], name: randomUUID() }), hidden),
    row(`${kind}Delete`, 'administrator', place => ({ id: place[kind] }), hidden),
  ];
}

/** Categories, scenarios and their parts. */
export const GRAPHQL_PART_ROWS: GraphQLRow[] = [
  row('categories', 'user'),
  row('categoryCreate', 'administrator', () => ({ name: randomUUID() })),
  ...categoryRows('category'),
  row('subcategoryCreate', 'administrator', place => ({ categoryId: place.category, name: randomUUID() }), hidden),
  ...categoryRows('subcategory'),
  ...partRows('variable', () => ({ key: 'new', variableNames: [] }), { key: 'new' }),
  ...partRows('prompt', () => ({ key: 'new', role: 'USER', content: 'Hi' }), { key: 'new' }),
  ...partRows('message', place => ({ key: 'new', promptIds: [place.prompt] }), { key: 'new' }),
  ...partRows(
    'scenario',
    place => ({ name: 'New', categoryId: SEEDED_CATEGORY, runFee: 0, freeRunsPerUser: 0, messageIds: [place.message] }),
    { name: 'New' },
  ),
];

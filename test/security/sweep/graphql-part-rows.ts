import { randomUUID } from 'node:crypto';
import { SEEDED_CATEGORY } from './places/place-parts.js';
import type { Place } from './places/places.js';
import { type GraphQLMore, type GraphQLRow, graphqlRow as row } from './rows.js';

/** An object that an input names is a bad value of the member when it is not the caller's. */
const named: GraphQLMore = { missing: 'BAD_USER_INPUT' };
/** Of an object, though nobody but an administrator is told anything of it. */
const hidden: GraphQLMore = { namesSomething: true };

/** The six fields of what a scenario is made of, and of scenarios. A list of a project that is not the caller's is empty. */
function partRows(
  part: 'variable' | 'prompt' | 'message' | 'scenario',
  creation: (place: Place) => object,
  change: object,
): GraphQLRow[] {
  const id = (place: Place) => ({ id: place[part] });
  return [
    row(`${part}s`, 'user', place => ({ filter: { project: place.project } }), { namesSomething: true }),
    row(part, { action: 'project.read' }, id),
    row(
      `${part}Create`,
      { action: `${part}.create` },
      place => ({ input: { project: place.project, ...creation(place) } }),
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

/** Categories, and what scenarios are made of. */
export const GRAPHQL_PART_ROWS: GraphQLRow[] = [
  row('categories', 'user'),
  row('categoryCreate', 'administrator', () => ({ name: randomUUID() })),
  ...categoryRows('category'),
  row('subcategoryCreate', 'administrator', place => ({ category: place.category, name: randomUUID() }), hidden),
  ...categoryRows('subcategory'),
  ...partRows('variable', () => ({ key: 'new', variableNames: [] }), { key: 'new' }),
  ...partRows('prompt', () => ({ key: 'new', role: 'USER', content: 'Hi' }), { key: 'new' }),
  ...partRows('message', place => ({ key: 'new', prompts: [place.prompt] }), { key: 'new' }),
  ...partRows(
    'scenario',
    place => ({ name: 'New', category: SEEDED_CATEGORY, runFee: 0, freeRunsPerUser: 0, messages: [place.message] }),
    { name: 'New' },
  ),
];

import { randomUUID } from 'node:crypto';
import { SEEDED_CATEGORY } from './fixtures/fixture-parts.js';
import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

/** The request names an object, and only administrators learn whether it exists. */
const hidden: GraphQLRowOptions = { namesObject: true };

/**
 * The six fields of scenarios and of each of their parts. A list of a project that the caller cannot access is empty.
 */
function partRows(
  part: 'variable' | 'prompt' | 'message' | 'scenario',
  creation: (fixture: Fixture) => object,
  change: object,
): GraphQLRow[] {
  const id = (fixture: Fixture) => ({ id: fixture[part] });
  return [
    row(`${part}s`, 'user', fixture => ({ filter: { projectId: fixture.project } }), { namesObject: true }),
    row(part, { action: 'project.read' }, id),
    row(
      `${part}Create`,
      { action: `${part}.create` },
      fixture => ({ input: { projectId: fixture.project, ...creation(fixture) } }),
      BAD_INPUT_IF_MISSING,
    ),
    row(`${part}Update`, { action: `${part}.update` }, fixture => ({ ...id(fixture), input: change })),
    row(`${part}Delete`, { action: `${part}.delete` }, id),
    row(`${part}Reorder`, { action: `${part}.reorder` }, fixture => ({ ...id(fixture), sortId: 1 })),
  ];
}

function categoryRows(kind: 'category' | 'subcategory'): GraphQLRow[] {
  return [
    row(`${kind}Update`, 'administrator', fixture => ({ id: fixture[kind], name: randomUUID() }), hidden),
    row(`${kind}Delete`, 'administrator', fixture => ({ id: fixture[kind] }), hidden),
  ];
}

/** Categories, scenarios and their parts. */
export const GRAPHQL_PART_ROWS: GraphQLRow[] = [
  row('categories', 'user'),
  row('categoryCreate', 'administrator', () => ({ name: randomUUID() })),
  ...categoryRows('category'),
  row('subcategoryCreate', 'administrator', fixture => ({ categoryId: fixture.category, name: randomUUID() }), hidden),
  ...categoryRows('subcategory'),
  ...partRows('variable', () => ({ key: 'new', variableNames: [] }), { key: 'new' }),
  ...partRows('prompt', () => ({ key: 'new', role: 'USER', content: 'Hi' }), { key: 'new' }),
  ...partRows('message', fixture => ({ key: 'new', promptIds: [fixture.prompt] }), { key: 'new' }),
  ...partRows(
    'scenario',
    fixture => ({
      name: 'New',
      categoryId: SEEDED_CATEGORY,
      runFee: 0,
      freeRunsPerUser: 0,
      messageIds: [fixture.message],
    }),
    { name: 'New' },
  ),
];

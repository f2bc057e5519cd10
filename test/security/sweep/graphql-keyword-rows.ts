import type { Place } from './places/places.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'keyword-run.update' } as const;
const inProject = (place: Place) => ({ filter: { projectId: place.project } });
const keyword = (place: Place) => ({ id: place.keyword });
const run = (place: Place) => ({ id: place.keywordrun });
/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };

/** Keywords and keyword runs. */
export const GRAPHQL_KEYWORD_ROWS: GraphQLRow[] = [
  row('keywords', read, inProject, named),
  row('keyword', read, keyword),
  row(
    'keywordCreate',
    { action: 'keyword.create' },
    place => ({ input: { name: 'dogs', projectId: place.project, keywordRunId: place.keywordrun } }),
    named,
  ),
  row('keywordUpdate', { action: 'keyword.update' }, place => ({ ...keyword(place), input: { name: 'dogs' } })),
  row('keywordDelete', { action: 'keyword.delete' }, keyword),

  row('keywordRuns', read, inProject, named),
  row('keywordRun', read, run),
  row(
    'keywordRunCreate',
    { action: 'keyword-run.create' },
    place => ({ input: { projectId: place.project, topic: 'dogs' } }),
    named,
  ),
  row('keywordRunUpdate', change, place => ({ ...run(place), input: { preset: 2 } })),
  row('keywordRunDelete', { action: 'keyword-run.delete' }, run),
  row('keywordRunClusterize', change, run),
  row('keywordRunKeywordsEnable', change, place => ({ ...run(place), isEnabled: false })),
  row('keywordRunChanged', read, run),
];

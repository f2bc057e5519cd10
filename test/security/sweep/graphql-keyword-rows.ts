import type { Place } from './places/places.js';
import { type GraphQLMore, type GraphQLRow, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const change = { action: 'keyword-run.update' } as const;
const inProject = (place: Place) => ({ filter: { project: place.project } });
const keyword = (place: Place) => ({ id: place.keyword });
const run = (place: Place) => ({ id: place.keywordrun });
/** An object that an input names is a bad value of the member when it is not the caller's. */
const named: GraphQLMore = { missing: 'BAD_USER_INPUT' };

/** Keywords and keyword runs. */
export const GRAPHQL_KEYWORD_ROWS: GraphQLRow[] = [
  row('keywords', read, inProject, named),
  row('keyword', read, keyword),
  row(
    'keywordCreate',
    { action: 'keyword.create' },
    place => ({ input: { name: 'dogs', project: place.project, keywordrun: place.keywordrun } }),
    named,
  ),
  row('keywordUpdate', { action: 'keyword.update' }, place => ({ ...keyword(place), input: { name: 'dogs' } })),
  row('keywordDelete', { action: 'keyword.delete' }, keyword),

  row('keywordRuns', read, inProject, named),
  row('keywordRun', read, run),
  row(
    'keywordRunCreate',
    { action: 'keyword-run.create' },
    place => ({ input: { project: place.project, topic: 'dogs' } }),
    named,
  ),
  row('keywordRunUpdate', change, place => ({ ...run(place), input: { preset: 2 } })),
  row('keywordRunDelete', { action: 'keyword-run.delete' }, run),
  row('keywordRunClusterize', change, run),
  row('keywordRunKeywordsEnable', change, place => ({ ...run(place), isEnabled: false })),
  row('keywordRunChanged', read, run),
];

import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const UPDATE_RULE = { action: 'keyword-run.update' } as const;
const inProject = (fixture: Fixture) => ({ filter: { projectId: fixture.project } });
const keyword = (fixture: Fixture) => ({ id: fixture.keyword });
const run = (fixture: Fixture) => ({ id: fixture.keywordrun });

/** GraphQL operations on keywords and keyword runs, with the required right and the arguments. */
export const GRAPHQL_KEYWORD_ROWS: GraphQLRow[] = [
  row('keywords', 'user', inProject, { namesObject: true }),
  row('keyword', READ_RULE, keyword),
  row(
    'keywordCreate',
    { action: 'keyword.create' },
    fixture => ({ input: { name: 'dogs', projectId: fixture.project, keywordRunId: fixture.keywordrun } }),
    BAD_INPUT_IF_MISSING,
  ),
  row('keywordUpdate', { action: 'keyword.update' }, fixture => ({ ...keyword(fixture), input: { name: 'dogs' } })),
  row('keywordDelete', { action: 'keyword.delete' }, keyword),

  row('keywordRuns', 'user', inProject, { namesObject: true }),
  row('keywordRun', READ_RULE, run),
  row(
    'keywordRunCreate',
    { action: 'keyword-run.create' },
    fixture => ({ input: { projectId: fixture.project, topic: 'dogs' } }),
    BAD_INPUT_IF_MISSING,
  ),
  row('keywordRunUpdate', UPDATE_RULE, fixture => ({ ...run(fixture), input: { preset: 2 } })),
  row('keywordRunDelete', { action: 'keyword-run.delete' }, run),
  row('keywordRunClusterize', UPDATE_RULE, run),
  row('keywordRunKeywordsEnable', UPDATE_RULE, fixture => ({ ...run(fixture), isEnabled: false })),
  row('keywordRunChanged', READ_RULE, run),
];

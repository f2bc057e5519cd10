import { type GraphQLRow, graphqlRow, type RestRow, restRow } from './rows.js';

export const REST_SAMPLE_ITEM_ROWS: RestRow[] = [
  restRow(
    'GET /api/v1/projects/{project}/sample-items/',
    { action: 'project.read' },
    { project: place => place.project },
  ),
  restRow(
    'POST /api/v1/sample-items/',
    { action: 'sample-item.create' },
    {},
    { namesObject: true, missing: '400', body: place => ({ project: place.project, name: 'new' }) },
  ),
];

export const GRAPHQL_SAMPLE_ITEM_ROWS: GraphQLRow[] = [
  graphqlRow('sampleItems', { action: 'project.read' }, place => ({ projectId: place.project })),
  graphqlRow(
    'sampleItemCreate',
    { action: 'sample-item.create' },
    place => ({ input: { projectId: place.project, name: 'new' } }),
    { missing: 'BAD_USER_INPUT' },
  ),
];

import type { Fixture } from '../fixtures/fixtures.js';
import { type GraphQLRow, graphqlRow, type RestRow, restRow } from '../rows.js';

const CREATE = { action: 'project-variable.create' } as const;
const UPDATE = { action: 'project-variable.update' } as const;
const DELETE = { action: 'project-variable.delete' } as const;
const variable = (fixture: Fixture) => ({ id: fixture.projectvariable });
const created = { name: 'NEW', value: 'new' };

export const REST_PROJECT_VARIABLE_ROWS: RestRow[] = [
  restRow(
    'GET /api/v1/projects/{project}/project-variables/',
    { action: 'project.read' },
    { project: fixture => fixture.project },
  ),
  restRow(
    'POST /api/v1/project-variables/',
    CREATE,
    {},
    { namesSomething: true, missing: '400', body: fixture => ({ project: fixture.project, ...created }) },
  ),
  restRow(
    'PATCH /api/v1/project-variables/{id}/',
    UPDATE,
    { id: fixture => fixture.projectvariable },
    { body: () => ({ value: 'new' }) },
  ),
  restRow('DELETE /api/v1/project-variables/{id}/', DELETE, { id: fixture => fixture.projectvariable }),
];

export const GRAPHQL_PROJECT_VARIABLE_ROWS: GraphQLRow[] = [
  graphqlRow('projectVariables', { action: 'project.read' }, fixture => ({ projectId: fixture.project })),
  graphqlRow('projectVariableCreate', CREATE, fixture => ({ input: { projectId: fixture.project, ...created } }), {
    missing: 'BAD_USER_INPUT',
  }),
  graphqlRow('projectVariableUpdate', UPDATE, fixture => ({ ...variable(fixture), input: { value: 'new' } })),
  graphqlRow('projectVariableDelete', DELETE, variable),
];

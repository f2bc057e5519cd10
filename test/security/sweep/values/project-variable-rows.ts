import type { Fixture } from '../fixtures/fixtures.js';
import {
  BAD_INPUT_IF_MISSING,
  BAD_REQUEST_IF_MISSING,
  type GraphQLRow,
  graphqlRow,
  type RestRow,
  restRow,
} from '../rows.js';

const CREATE = { action: 'project-variable.create' } as const;
const UPDATE = { action: 'project-variable.update' } as const;
const DELETE = { action: 'project-variable.delete' } as const;
const variable = (fixture: Fixture) => ({ id: fixture.projectvariable });
const CREATE_ENVIRONMENT = { action: 'project-environment.create' } as const;
const DELETE_ENVIRONMENT = { action: 'project-environment.delete' } as const;
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
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, ...created }) },
  ),
  restRow(
    'PATCH /api/v1/project-variables/{id}/',
    UPDATE,
    { id: fixture => fixture.projectvariable },
    { body: () => ({ value: 'new' }) },
  ),
  restRow(
    'PUT /api/v1/project-variables/{id}/values/{environment_id}/',
    UPDATE,
    { id: fixture => fixture.projectvariable, environment_id: fixture => fixture.environment },
    { body: () => ({ value: 'new' }) },
  ),
  restRow(
    'GET /api/v1/projects/{project}/environments/',
    { action: 'project.read' },
    { project: fixture => fixture.project },
  ),
  restRow(
    'POST /api/v1/project-environments/',
    CREATE_ENVIRONMENT,
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, name: 'test' }) },
  ),
  restRow('DELETE /api/v1/project-environments/{id}/', DELETE_ENVIRONMENT, { id: fixture => fixture.environment }),
  restRow('DELETE /api/v1/project-variables/{id}/', DELETE, { id: fixture => fixture.projectvariable }),
];

export const GRAPHQL_PROJECT_VARIABLE_ROWS: GraphQLRow[] = [
  graphqlRow('projectVariables', { action: 'project.read' }, fixture => ({ projectId: fixture.project })),
  graphqlRow(
    'projectVariableCreate',
    CREATE,
    fixture => ({ input: { projectId: fixture.project, ...created } }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow('projectVariableUpdate', UPDATE, fixture => ({ ...variable(fixture), input: { value: 'new' } })),
  graphqlRow('projectVariableDelete', DELETE, variable),
  graphqlRow('projectVariableValueSet', UPDATE, fixture => ({
    ...variable(fixture),
    environmentId: fixture.environment,
    value: 'new',
  })),
  graphqlRow('projectEnvironments', { action: 'project.read' }, fixture => ({ projectId: fixture.project })),
  graphqlRow(
    'projectEnvironmentCreate',
    CREATE_ENVIRONMENT,
    fixture => ({ input: { projectId: fixture.project, name: 'test' } }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow('projectEnvironmentDelete', DELETE_ENVIRONMENT, fixture => ({ id: fixture.environment })),
];

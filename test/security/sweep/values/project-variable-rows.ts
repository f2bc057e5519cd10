import type { Place } from '../places/places.js';
import { type GraphQLRow, graphqlRow, type RestRow, restRow } from '../rows.js';

const CREATE = { action: 'project-variable.create' } as const;
const UPDATE = { action: 'project-variable.update' } as const;
const DELETE = { action: 'project-variable.delete' } as const;
const variable = (place: Place) => ({ id: place.projectvariable });
const created = { name: 'NEW', value: 'new' };

export const REST_PROJECT_VARIABLE_ROWS: RestRow[] = [
  restRow(
    'GET /api/v1/projects/{project}/project-variables/',
    { action: 'project.read' },
    { project: place => place.project },
  ),
  restRow(
    'POST /api/v1/project-variables/',
    CREATE,
    {},
    { namesSomething: true, missing: '400', body: place => ({ project: place.project, ...created }) },
  ),
  restRow(
    'PATCH /api/v1/project-variables/{id}/',
    UPDATE,
    { id: place => place.projectvariable },
    { body: () => ({ value: 'new' }) },
  ),
  restRow('DELETE /api/v1/project-variables/{id}/', DELETE, { id: place => place.projectvariable }),
];

export const GRAPHQL_PROJECT_VARIABLE_ROWS: GraphQLRow[] = [
  graphqlRow('projectVariables', { action: 'project.read' }, place => ({ projectId: place.project })),
  graphqlRow('projectVariableCreate', CREATE, place => ({ input: { projectId: place.project, ...created } }), {
    missing: 'BAD_USER_INPUT',
  }),
  graphqlRow('projectVariableUpdate', UPDATE, place => ({ ...variable(place), input: { value: 'new' } })),
  graphqlRow('projectVariableDelete', DELETE, variable),
];

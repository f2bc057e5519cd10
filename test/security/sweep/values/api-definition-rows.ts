import type { Fixture } from '../fixtures/fixtures.js';
import {
  BAD_INPUT_IF_MISSING,
  BAD_REQUEST_IF_MISSING,
  type GraphQLRow,
  graphqlRow,
  type RestRow,
  restRow,
} from '../rows.js';

const READ = { action: 'project.read' } as const;
const IMPORT = { action: 'api-definition.import' } as const;
const UPDATE = { action: 'api-definition.update' } as const;
const DELETE = { action: 'api-definition.delete' } as const;
const definition = (fixture: Fixture) => ({ id: fixture.apidefinition });
const at = { id: (fixture: Fixture) => fixture.apidefinition };
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: { '/pets': { get: { operationId: 'listPets' } } },
});
const imported = { name: 'Imported', document };

export const REST_API_DEFINITION_ROWS: RestRow[] = [
  restRow('GET /api/v1/projects/{project}/api-definitions/', READ, { project: fixture => fixture.project }),
  restRow(
    'POST /api/v1/api-definitions/',
    IMPORT,
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, ...imported }) },
  ),
  restRow('GET /api/v1/api-definitions/{id}/', READ, at),
  restRow('GET /api/v1/api-definitions/{id}/operations/', READ, at),
  restRow('PATCH /api/v1/api-definitions/{id}/', UPDATE, at, { body: () => ({ name: 'Other' }) }),
  restRow('DELETE /api/v1/api-definitions/{id}/', DELETE, at),
];

export const GRAPHQL_API_DEFINITION_ROWS: GraphQLRow[] = [
  graphqlRow('apiDefinitions', READ, fixture => ({ projectId: fixture.project })),
  graphqlRow('apiDefinition', READ, definition),
  graphqlRow('apiOperations', READ, definition),
  graphqlRow(
    'apiDefinitionImport',
    IMPORT,
    fixture => ({ input: { projectId: fixture.project, ...imported } }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow('apiDefinitionUpdate', UPDATE, fixture => ({ ...definition(fixture), input: { name: 'Other' } })),
  graphqlRow('apiDefinitionDelete', DELETE, definition),
];

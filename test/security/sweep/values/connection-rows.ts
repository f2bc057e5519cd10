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
const CREATE = { action: 'connection.create' } as const;
const UPDATE = { action: 'connection.update' } as const;
const ROTATE = { action: 'connection.rotate' } as const;
const AUTHORIZE = { action: 'connection.authorize' } as const;
const TEST = { action: 'connection.test' } as const;
const DELETE = { action: 'connection.delete' } as const;
const connection = (fixture: Fixture) => ({ id: fixture.connection });
const at = { id: (fixture: Fixture) => fixture.connection };
const redirect = 'https://app.example.com/';
const answer = { state: 'x', code: 'x' };
const created = { name: 'New', settings: { username: 'ada' } };

export const REST_CONNECTION_ROWS: RestRow[] = [
  restRow('GET /api/v1/projects/{project}/connections/', READ, { project: fixture => fixture.project }),
  restRow('GET /api/v1/connection-presets/', 'user'),
  restRow(
    'POST /api/v1/connections/',
    CREATE,
    {},
    {
      ...BAD_REQUEST_IF_MISSING,
      body: fixture => ({ project: fixture.project, kind: 'basic', allowed_hosts: ['a.example.com'], ...created }),
    },
  ),
  restRow('GET /api/v1/connections/{id}/', READ, at),
  restRow('GET /api/v1/connections/{id}/uses/', READ, at),
  restRow('PATCH /api/v1/connections/{id}/', UPDATE, at, { body: () => ({ name: 'Other' }) }),
  restRow('POST /api/v1/connections/{id}/rotate/', ROTATE, at, { body: () => ({ secret: 'new-secret' }) }),
  // The connection of a fixture is not one that is authorized, and no authorization has the state `x`.
  restRow('POST /api/v1/connections/{id}/authorization/', AUTHORIZE, at, {
    status: 409,
    body: () => ({ redirect_url: redirect }),
  }),
  restRow('POST /api/v1/connection-authorizations/', 'user', {}, { status: 400, body: () => answer }),
  restRow('POST /api/v1/connections/{id}/test/', TEST, at),
  restRow('DELETE /api/v1/connections/{id}/', DELETE, at),
];

export const GRAPHQL_CONNECTION_ROWS: GraphQLRow[] = [
  graphqlRow('projectConnections', READ, fixture => ({ projectId: fixture.project })),
  graphqlRow('connection', READ, connection),
  graphqlRow('connectionUses', READ, connection),
  graphqlRow('connectionPresets', 'user'),
  graphqlRow(
    'connectionCreate',
    CREATE,
    fixture => ({
      input: { projectId: fixture.project, kind: 'BASIC', allowedHosts: ['a.example.com'], ...created },
    }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow('connectionUpdate', UPDATE, fixture => ({ ...connection(fixture), input: { name: 'Other' } })),
  graphqlRow('connectionRotate', ROTATE, fixture => ({ ...connection(fixture), secret: 'new-secret' })),
  graphqlRow(
    'connectionAuthorizationStart',
    AUTHORIZE,
    fixture => ({ ...connection(fixture), redirectUrl: redirect }),
    {
      success: 'CONFLICT',
    },
  ),
  graphqlRow('connectionAuthorizationComplete', 'user', () => answer, { success: 'BAD_USER_INPUT' }),
  graphqlRow('connectionTest', TEST, connection),
  graphqlRow('connectionDelete', DELETE, connection),
];

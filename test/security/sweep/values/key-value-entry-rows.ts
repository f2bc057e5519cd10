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
const WRITE = { action: 'key-value-entry.write' } as const;
const DELETE = { action: 'key-value-entry.delete' } as const;
const entry = { id: (fixture: Fixture) => fixture.keyvalue };

export const REST_KEY_VALUE_ENTRY_ROWS: RestRow[] = [
  restRow('GET /api/v1/projects/{project}/key-value-entries/', READ, { project: fixture => fixture.project }),
  restRow(
    'POST /api/v1/key-value-entries/',
    WRITE,
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, key: 'new', value: 1 }) },
  ),
  restRow(
    'POST /api/v1/key-value-entries/increment/',
    WRITE,
    {},
    { ...BAD_REQUEST_IF_MISSING, body: fixture => ({ project: fixture.project, key: 'count' }) },
  ),
  restRow('GET /api/v1/key-value-entries/{id}/', READ, entry),
  restRow('DELETE /api/v1/key-value-entries/{id}/', DELETE, entry),
];

export const GRAPHQL_KEY_VALUE_ENTRY_ROWS: GraphQLRow[] = [
  graphqlRow('keyValueEntries', READ, fixture => ({ projectId: fixture.project })),
  graphqlRow('keyValueEntry', READ, fixture => ({ id: fixture.keyvalue })),
  graphqlRow(
    'keyValueEntrySet',
    WRITE,
    fixture => ({ input: { projectId: fixture.project, key: 'new', value: 1 } }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow(
    'keyValueEntryIncrement',
    WRITE,
    fixture => ({ input: { projectId: fixture.project, key: 'count' } }),
    BAD_INPUT_IF_MISSING,
  ),
  graphqlRow('keyValueEntryDelete', DELETE, fixture => ({ id: fixture.keyvalue })),
];

import type { Place } from '../places/places.js';
import { type GraphQLRow, graphqlRow, type RestRow, restRow } from '../rows.js';

const READ = { action: 'project.read' } as const;
const WRITE = { action: 'key-value-entry.write' } as const;
const DELETE = { action: 'key-value-entry.delete' } as const;
const entry = { id: (place: Place) => place.keyvalue };
const namesProject = { namesSomething: true, missing: '400' } as const;
const missing = { missing: 'BAD_USER_INPUT' } as const;

export const REST_KEY_VALUE_ENTRY_ROWS: RestRow[] = [
  restRow('GET /api/v1/projects/{project}/key-value-entries/', READ, { project: place => place.project }),
  restRow(
    'POST /api/v1/key-value-entries/',
    WRITE,
    {},
    { ...namesProject, body: place => ({ project: place.project, key: 'new', value: 1 }) },
  ),
  restRow(
    'POST /api/v1/key-value-entries/increment/',
    WRITE,
    {},
    { ...namesProject, body: place => ({ project: place.project, key: 'count' }) },
  ),
  restRow('GET /api/v1/key-value-entries/{id}/', READ, entry),
  restRow('DELETE /api/v1/key-value-entries/{id}/', DELETE, entry),
];

export const GRAPHQL_KEY_VALUE_ENTRY_ROWS: GraphQLRow[] = [
  graphqlRow('keyValueEntries', READ, place => ({ projectId: place.project })),
  graphqlRow('keyValueEntry', READ, place => ({ id: place.keyvalue })),
  graphqlRow(
    'keyValueEntrySet',
    WRITE,
    place => ({ input: { projectId: place.project, key: 'new', value: 1 } }),
    missing,
  ),
  graphqlRow(
    'keyValueEntryIncrement',
    WRITE,
    place => ({ input: { projectId: place.project, key: 'count' } }),
    missing,
  ),
  graphqlRow('keyValueEntryDelete', DELETE, place => ({ id: place.keyvalue })),
];

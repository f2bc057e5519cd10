import { useQuery } from '@apollo/client/react';
import { ConnectionChoicesDocument } from './connections.generated';
import { useProjectId } from './use-project';

/** Kinds of connections that add no credentials to HTTP requests. */
const OTHER_KINDS = new Set(['SMTP', 'POSTGRESQL', 'MCP_BEARER', 'MCP_OAUTH']);

/** The connections of the project for HTTP requests, as choices of a selection. Empty while they load. */
export function useHttpConnections({ skip = false } = {}): { value: string; label: string }[] {
  const { data } = useQuery(ConnectionChoicesDocument, { variables: { projectId: useProjectId() }, skip });
  return (data?.projectConnections.items ?? [])
    .filter(({ kind }) => !OTHER_KINDS.has(kind))
    .map(({ id, name }) => ({ value: String(id), label: name }));
}

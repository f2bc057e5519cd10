import { useConnectionChoices } from './use-choices';

/** Kinds of connections that add no credentials to HTTP requests. */
const OTHER_KINDS = new Set(['SMTP', 'POSTGRESQL', 'MCP_BEARER', 'MCP_OAUTH']);

/** The connections of the project for HTTP requests, as choices of a selection. Empty while they load. */
export function useHttpConnections(options: { skip?: boolean } = {}): { value: string; label: string }[] {
  return useConnectionChoices(options)
    .filter(({ kind }) => !OTHER_KINDS.has(kind))
    .map(({ id, name }) => ({ value: String(id), label: name }));
}

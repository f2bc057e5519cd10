import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { McpSession } from './mcp-sessions.js';

/** The caller of an MCP request. */
export interface McpCaller {
  context: RequestContext;
  viewer: Viewer;
  projectId: number;
  /** Null: the client did not initialize a session. */
  session: McpSession | null;
}

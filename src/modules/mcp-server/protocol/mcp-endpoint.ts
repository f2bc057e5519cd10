import type { JsonObject } from '../../../engine/json-value.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { McpServerTables } from '../tools/mcp-server-tables.js';
import type { Elicitations } from './elicitations.js';
import { parseEventId } from './event-ids.js';
import { invalidParams, RPC_CODES, RpcError, type RpcMessage, toResult } from './json-rpc.js';
import type { McpCaller } from './mcp-caller.js';
import type { McpSessions } from './mcp-sessions.js';
import { toPage } from './pages.js';
import type { PromptLibrary } from './prompt-library.js';
import { RESOURCE_TEMPLATES, type Resources } from './resources.js';
import type { McpEvent, ToolCalls } from './tool-calls.js';

/** Where a request came from. */
export interface McpOrigin {
  context: RequestContext;
  /** The project in the path. Null: the project of the session, or the only one of the caller. */
  projectId: number | null;
  /** Null: the request has no session. */
  sessionId: string | null;
  /** Aborts when the client disconnects or the process shuts down. */
  signal: AbortSignalLike;
}

/** The reply to a message: without a body, one message, or the events of a call. */
export type McpReply =
  | { kind: 'accepted' }
  | { kind: 'message'; message: JsonObject; sessionId?: string }
  | { kind: 'stream'; events: AsyncIterable<McpEvent> };

/** Returns the result of a request. */
type Handler = (caller: McpCaller, params: JsonObject) => Promise<JsonObject> | JsonObject;

interface EndpointParts {
  database: Database;
  access: ProjectAccess;
  sessions: McpSessions;
  calls: ToolCalls;
  elicitations: Elicitations;
  resources: Resources;
  prompts: PromptLibrary;
  version: string;
}

/** Items per page. Pages of prompts are smaller, because prompts are read with their texts. */
const PAGE_SIZE = 50;
const PROMPTS_PAGE_SIZE = 20;

const INSTRUCTIONS =
  'The tools are workflows of a Scenarium project. A call starts a run; its id is in _meta["scenarium/runId"] of the result.';

/** The MCP server of a project. It keeps no state: sessions are in their ids, calls are runs. */
export class McpEndpoint {
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(private readonly parts: EndpointParts) {
    const { calls, resources, prompts } = parts;
    this.#handlers = {
      ping: () => ({}),
      'tools/list': (caller, params) => toPage('tools', PAGE_SIZE, params, page => calls.list(caller, page)),
      'resources/list': (caller, params) =>
        toPage('resources', PAGE_SIZE, params, page => resources.list(caller, page)),
      'resources/templates/list': () => ({ resourceTemplates: RESOURCE_TEMPLATES }),
      'resources/read': (caller, params) => resources.read(caller, params),
      'prompts/list': (caller, params) =>
        toPage('prompts', PROMPTS_PAGE_SIZE, params, page => prompts.list(caller, page)),
      'prompts/get': (caller, params) => prompts.get(caller, params),
    };
  }

  /** The methods that requests may have, for metrics. */
  get methods(): string[] {
    return ['initialize', 'tools/call', ...Object.keys(this.#handlers)];
  }

  /** Answers one message. */
  async receive(origin: McpOrigin, message: RpcMessage): Promise<McpReply> {
    if (message.kind === 'request' && message.method === 'initialize') return this.#initialize(origin, message);
    const caller = await this.#callerOf(origin);
    if (message.kind === 'response') {
      await this.parts.elicitations.answer(caller.viewer, message.id, message.result);
      return { kind: 'accepted' };
    }
    if (message.kind === 'notification') {
      if (message.method === 'notifications/cancelled') await this.parts.calls.cancel(caller, message.params.requestId);
      return { kind: 'accepted' };
    }
    const { id, method, params } = message;
    if (method === 'tools/call') {
      const answer = await this.parts.calls.call(caller, id, params, origin.signal);
      if ('events' in answer) return { kind: 'stream', events: answer.events };
      return { kind: 'message', message: toResult(id, answer.result) };
    }
    const handler = Object.hasOwn(this.#handlers, method) ? this.#handlers[method] : undefined;
    if (!handler)
      throw new RpcError(RPC_CODES.unknownMethod, `Unknown method "${method}". Available: ${this.methods.join(', ')}.`);
    return { kind: 'message', message: toResult(id, await handler(caller, params)) };
  }

  /** Continues the stream of a call after the event with this id. */
  async resume(origin: McpOrigin, lastEventId: string): Promise<AsyncIterable<McpEvent>> {
    const caller = await this.#callerOf(origin);
    const position = parseEventId(lastEventId);
    if (!position)
      throw new RpcError(RPC_CODES.invalidRequest, 'Last-Event-ID must be the id of an event of this server.');
    return this.parts.calls.follow(caller, position.call, position.sequence, origin.signal);
  }

  async #initialize(
    { context, projectId }: McpOrigin,
    { id, params }: RpcMessage & { kind: 'request' },
  ): Promise<McpReply> {
    const { viewer } = context;
    const project = projectId ?? (await this.#onlyProject(viewer));
    await this.parts.access.authorize(viewer, project, 'project.read');
    const { id: sessionId, session } = this.parts.sessions.create(viewer, project, params);
    const message = toResult(id, {
      protocolVersion: session.protocolVersion,
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'scenarium', title: 'Scenarium', version: this.parts.version },
      instructions: INSTRUCTIONS,
    });
    return { kind: 'message', message, sessionId };
  }

  async #callerOf({ context, projectId, sessionId }: McpOrigin): Promise<McpCaller> {
    const { viewer } = context;
    const session = sessionId === null ? null : this.parts.sessions.open(viewer, projectId, sessionId);
    const project = projectId ?? session?.projectId ?? (await this.#onlyProject(viewer));
    return { context, viewer, projectId: project, session };
  }

  async #onlyProject({ userId }: Viewer): Promise<number> {
    const rows = await queryBuilder<McpServerTables>(this.parts.database)
      .selectFrom('project_member')
      .select('project_id as id')
      .where('user_id', '=', userId)
      .limit(2)
      .execute();
    if (rows.length === 1) return rows[0]!.id;
    const reason = rows.length === 0 ? 'You are in no project.' : 'You are in several projects.';
    throw invalidParams(`${reason} Name one in the path: /mcp/{project id}.`);
  }
}

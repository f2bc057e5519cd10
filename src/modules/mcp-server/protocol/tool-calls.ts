import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { isTerminal, type RunState } from '../../../engine/status.js';
import { toolInputSchema } from '../../../engine/workflow/graph/tool-input-schema.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import type { Database } from '../../../platform/database/database.js';
import { DomainError, NotFoundError } from '../../../platform/errors/errors.js';
import type { Page, PageArgs } from '../../../platform/lists/page.js';
import type { Log } from '../../../platform/logging/log.js';
import { Bus } from '../../../platform/messaging/bus.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RunChangeStreams } from '../../workflow-runs/api/run-change-streams.js';
import { type WorkflowRunChange, WorkflowRunChangeKind } from '../../workflow-runs/api/workflow-run-change.type.js';
import type { WorkflowRunReceipt } from '../../workflow-runs/history/workflow-run.inputs.js';
import type { WorkflowRunService } from '../../workflow-runs/history/workflow-run.service.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { McpServerToolService } from '../tools/mcp-server-tool.service.js';
import type { McpServerTool } from '../tools/mcp-server-tool.type.js';
import type { Elicitations } from './elicitations.js';
import { type FollowedCall, toEventId } from './event-ids.js';
import {
  invalidParams,
  isRpcId,
  type RpcId,
  toErrorMessage,
  toNotification,
  toResult,
  toRpcError,
} from './json-rpc.js';
import type { McpCaller } from './mcp-caller.js';
import { callIdOf, type McpSession } from './mcp-sessions.js';
import { IDEMPOTENCY_KEY_META, toToolResult } from './tool-result.js';

/**
 * An event of a stream. `message` null: the event only has an id. `id` null: a stream cannot be resumed after this event, only after
 * an earlier one.
 */
export interface McpEvent {
  id: string | null;
  message: JsonObject | null;
}

/** The events of a call, or the result of a call whose run was refused. */
export type ToolAnswer = { events: AsyncIterable<McpEvent> } | { result: JsonObject };

interface ToolCallParts {
  database: Database;
  bus: Bus;
  log: Log;
  tools: McpServerToolService;
  revisions: RevisionStore;
  runs: WorkflowRunService;
  streams: RunChangeStreams;
  idempotentStarts: IdempotentStarts;
  elicitations: Elicitations;
}

/** Lists tools and calls them. A call is a run: its id derives from the session and the request id. */
export class ToolCalls {
  constructor(private readonly parts: ToolCallParts) {}

  /** The enabled tools by name. */
  async list({ viewer, projectId }: McpCaller, page: PageArgs): Promise<Page<JsonObject>> {
    const tools = await this.parts.tools.listEnabled(viewer, projectId, page);
    const revisions = await this.parts.revisions.read(tools.items.map(({ revisionId }) => revisionId));
    const items = tools.items.map(({ name, description, title }, index) => ({
      ...{ name, title, description: description || title },
      inputSchema: toolInputSchema(revisions[index]?.fields ?? []),
    }));
    return { ...tools, items };
  }

  /** Starts the run of a call, at most one for each request id of a session, and follows it until `signal` aborts. */
  async call(caller: McpCaller, requestId: RpcId, params: JsonObject, signal: AbortSignalLike): Promise<ToolAnswer> {
    const { name, arguments: input = {}, _meta: meta } = params;
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a tool.');
    if (!isObject(input)) throw invalidParams('params.arguments must be an object.');
    const tool = await this.#find(caller, name);
    const { context, session } = caller;
    const callId = session === null ? undefined : callIdOf(session, requestId);
    const receipt = await this.#start(context, tool, { input, callId, key: idempotencyKeyOf(meta) });
    if (receipt.status !== 201) return { result: toToolResult(receipt.data) };
    const progressToken = isObject(meta) && isRpcId(meta.progressToken) ? meta.progressToken : undefined;
    return { events: this.follow(caller, { runId: receipt.runId, requestId, progressToken }, 0, signal) };
  }

  /**
   * The events of a call after the change with the number `after` of its run: progress and questions about approvals, if the client
   * takes them, and the result. Every process can continue a stream, because the events come from the journal of the run.
   */
  async *follow(
    { viewer, session }: McpCaller,
    call: FollowedCall,
    after: number,
    signal: AbortSignalLike,
  ): AsyncGenerator<McpEvent, void, undefined> {
    const { runId, requestId } = call;
    let last = after;
    const release = this.#cancelOnRequest(viewer, session, call);
    try {
      // Its id lets the client resume the stream before the first change of the run.
      if (after === 0 && (session?.protocolVersion ?? '') >= FIRST_WITH_EMPTY_EVENTS)
        yield { id: toEventId(0, call), message: null };
      for await (const change of until(signal, await this.parts.streams.open(viewer, runId, after))) {
        if (isTerminal(change.state)) break;
        last = change.sequence;
        yield* await this.#eventsOf({ viewer, session }, call, change);
      }
      if (!signal.aborted) yield { id: toEventId(last, call), message: await this.#endOf(viewer, call) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      yield { id: toEventId(last, call), message: toErrorMessage(requestId, toRpcError(error)) };
    } finally {
      release();
    }
  }

  /**
   * The progress of a change, and the question about an approval. Only the last event has the id of the change: a client that
   * resumes before the question receives both again.
   */
  async #eventsOf(
    { viewer, session }: Pick<McpCaller, 'viewer' | 'session'>,
    call: FollowedCall,
    change: WorkflowRunChange,
  ): Promise<McpEvent[]> {
    const id = toEventId(change.sequence, call);
    const question = session?.elicits ? await this.#questionOf(viewer, change) : undefined;
    return [
      ...(call.progressToken === undefined ? [] : [{ id: question ? null : id, message: progress(call, change) }]),
      ...(question ? [{ id, message: question }] : []),
    ];
  }

  /** Cancels the run of a request, or asks the process that follows it. No effect on a run that has ended. */
  async cancel({ viewer, session }: McpCaller, requestId: unknown): Promise<void> {
    if (session === null || !isRpcId(requestId)) return;
    const callId = callIdOf(session, requestId);
    try {
      await this.parts.runs.cancel(viewer, callId);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      await Bus.notify(this.parts.database, [cancelTopic(callId)]);
    }
  }

  async #find({ viewer, projectId }: McpCaller, name: string): Promise<McpServerTool> {
    const tool = await this.parts.tools.findEnabled(viewer, projectId, name);
    if (tool) return tool;
    const { items } = await this.parts.tools.listEnabled(viewer, projectId, { page: 1, size: MAX_NAMES });
    const names = items.map(each => each.name);
    const available = names.length === 0 ? 'The project offers no tools.' : `Available: ${names.join(', ')}.`;
    throw invalidParams(`Unknown tool "${name.slice(0, MAX_NAME_CHARACTERS)}". ${available}`);
  }

  /** A key in `_meta` makes a call idempotent across sessions, as `Idempotency-Key` does for requests of REST. */
  #start(
    context: RequestContext,
    { workflowId }: McpServerTool,
    { input, callId, key }: { input: JsonObject; callId: string | undefined; key: string | undefined },
  ): Promise<WorkflowRunReceipt> {
    const { runs, idempotentStarts } = this.parts;
    const start = (reservedId: string | undefined) => runs.start(context.viewer, workflowId, { input, reservedId });
    if (key === undefined) return start(callId);
    return idempotentStarts.once(context, key, ['tools/call', { workflowId, input }], start);
  }

  /** A cancellation may arrive before the run is accepted, and the run of a call with a key has another id. */
  #cancelOnRequest(viewer: Viewer, session: McpSession | null, { runId, requestId }: FollowedCall): () => void {
    if (session === null) return () => {};
    return this.parts.bus.subscribe(cancelTopic(callIdOf(session, requestId)), () => {
      this.parts.runs.cancel(viewer, runId).catch((error: unknown) => {
        this.parts.log.warn({ err: error, runId }, 'run of a cancelled tool call not cancelled');
      });
    });
  }

  /** The question about the approval that a node waits for. Undefined: it waits for something else, or the approval is decided. */
  async #questionOf(viewer: Viewer, { runId, node }: WorkflowRunChange): Promise<JsonObject | undefined> {
    const requestId = node?.wait?.requestId ?? null;
    return requestId === null ? undefined : this.parts.elicitations.ask(viewer, runId, requestId);
  }

  /**
   * The result of a run whose changes have ended. Throws NotFoundError if the run itself has not ended: its changes end early for a
   * viewer who loses access.
   */
  async #endOf(viewer: Viewer, { runId, requestId }: FollowedCall): Promise<JsonObject> {
    const { data } = await this.parts.runs.getResult(viewer, runId);
    // An expired run has ended, and its result is no longer stored.
    if (data.status !== 'expired' && !isTerminal(data.status as RunState)) throw new NotFoundError();
    return toResult(requestId, toToolResult(data));
  }
}

/** The first protocol version, a date, whose clients can read events without data. */
const FIRST_WITH_EMPTY_EVENTS = '2025-11-25';
const MAX_NAMES = 50;
const MAX_NAME_CHARACTERS = 64;

function cancelTopic(callId: string): string {
  return `mcp-cancel:${callId}`;
}

function idempotencyKeyOf(meta: unknown): string | undefined {
  const key = isObject(meta) ? meta[IDEMPOTENCY_KEY_META] : undefined;
  if (key === undefined) return undefined;
  if (typeof key === 'string') return key;
  throw invalidParams(`params._meta["${IDEMPOTENCY_KEY_META}"] must be a text.`);
}

/** The values of a source until `signal` aborts. The source ends at once, even while it waits for a change. */
async function* until<T>(signal: AbortSignalLike, source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const values = source[Symbol.asyncIterator]();
  const end = () => void values.return?.();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      const { done, value } = await values.next();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** The number of the change is the progress: it increases, and its end is not known. */
function progress({ progressToken }: FollowedCall, { sequence, kind, node }: WorkflowRunChange): JsonObject {
  const message = node ? `Node "${node.nodeId}" ${VERBS[kind] ?? 'continues'}.` : 'The run continues.';
  return toNotification('notifications/progress', { progressToken, progress: sequence, message });
}

const VERBS: Partial<Record<WorkflowRunChangeKind, string>> = {
  [WorkflowRunChangeKind.NODE_STARTED]: 'started',
  [WorkflowRunChangeKind.NODE_RETRYING]: 'failed and is tried again',
  [WorkflowRunChangeKind.NODE_SUCCEEDED]: 'succeeded',
  [WorkflowRunChangeKind.NODE_FAILED]: 'failed',
  [WorkflowRunChangeKind.NODE_SKIPPED]: 'was skipped',
  [WorkflowRunChangeKind.NODE_STEP_STARTED]: 'started a step',
  [WorkflowRunChangeKind.NODE_STEP_SUCCEEDED]: 'finished a step',
  [WorkflowRunChangeKind.NODE_WAITING]: 'waits',
};

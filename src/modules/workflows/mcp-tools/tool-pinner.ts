import { type McpCaller, type McpTool, PortError } from '../../../engine/ports.js';
import type { Log } from '../../../platform/logging/log.js';
import type { RunConnections } from '../../connections/runs/run-connections.js';
import type { VariableReader } from '../../project-variables/variable-reader.js';
import type { RevisionStore } from '../revision-store.js';
import { findStoredMcpServers, openRevision, type StoredServer } from './stored-mcp-servers.js';
import type { ObservedTool, ToolPinStore } from './tool-pins.js';

/** Maximum number of servers queried per workflow. Tools of other servers are pinned at their first call. */
const MAX_SERVERS = 20;
/** Maximum number of pinned tools per server, more than an agent may offer. */
const MAX_TOOLS = 200;
/** Maximum wait for the list of tools of a server, in milliseconds. */
const MAX_TIMEOUT_MS = 10_000;
/** Maximum number of revisions that one process pins concurrently, and that wait. */
const MAX_AT_ONCE = 4;
const MAX_WAITING = 1_000;

/**
 * Pins the MCP tools of saved workflows in the background, so that saving never waits for or depends on a server. A tool that
 * is not pinned here, for example because the process stopped, is pinned at its first call.
 */
export class ToolPinner {
  readonly #waiting = new Set<number>();
  readonly #active = new Map<number, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(
    private readonly revisions: RevisionStore,
    private readonly pins: ToolPinStore,
    private readonly mcp: McpCaller,
    private readonly log: Log,
    private readonly environment: Pick<VariableReader, 'open'>,
    private readonly connections: Pick<RunConnections, 'mcp'>,
  ) {}

  /** Schedules a revision. Call it after the commit. A revision that is active is processed once more. */
  pinInBackground(revisionId: number): void {
    if (this.#stop.signal.aborted || this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.add(revisionId);
    this.#startWaiting();
  }

  /** Aborts active work and accepts no more. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the service is stopping'));
    this.#waiting.clear();
    await Promise.all(this.#active.values());
  }

  #startWaiting(): void {
    for (const id of this.#waiting) {
      if (this.#active.size >= MAX_AT_ONCE) return;
      if (this.#active.has(id)) continue;
      this.#waiting.delete(id);
      this.#active.set(id, this.#process(id));
    }
  }

  async #process(revisionId: number): Promise<void> {
    try {
      await this.#pin(revisionId);
    } catch (error) {
      this.log.debug({ revision: revisionId, reason: (error as Error).message }, 'pinning tools failed');
    } finally {
      this.#active.delete(revisionId);
      this.#startWaiting();
    }
  }

  async #pin(revisionId: number): Promise<void> {
    const [revision] = await this.revisions.read([revisionId]);
    const servers = revision
      ? findStoredMcpServers(await openRevision(revision, this.environment)).slice(0, MAX_SERVERS)
      : [];
    if (servers.length === 0) return;
    const observedAt = await this.pins.now();
    // 0: the service pins tools for no user.
    const caller = { projectId: revision!.projectId, workflowId: revision!.workflowId ?? 0, userId: 0, runId: null };
    const mcp = this.connections.mcp(this.mcp, caller, this.#stop.signal);
    const tools = await Promise.all(servers.map(server => this.#observe(revisionId, server, mcp)));
    if (!this.#stop.signal.aborted) await this.pins.renew(revisionId, tools.flat(), observedAt);
  }

  async #observe(
    revisionId: number,
    { nodeId, server, pinNameOf }: StoredServer,
    mcp: McpCaller,
  ): Promise<ObservedTool[]> {
    try {
      const timeoutMs = Math.min(server.timeoutMs, MAX_TIMEOUT_MS);
      const tools = await mcp.listTools({ ...server, timeoutMs }, this.#stop);
      return tools.flatMap(tool => this.#toObservedTool(nodeId, tool, pinNameOf)).slice(0, MAX_TOOLS);
    } catch (error) {
      this.log.debug(
        { revision: revisionId, node: nodeId, reason: error instanceof PortError ? error.code : (error as Error).name },
        'listing tools of MCP server failed',
      );
      return [];
    }
  }

  #toObservedTool(nodeId: string, tool: McpTool, pinNameOf: StoredServer['pinNameOf']): ObservedTool[] {
    const name = pinNameOf(tool.name);
    return name === undefined ? [] : [{ nodeId, tool: name, schemaHash: this.mcp.schemaHash(tool) }];
  }
}

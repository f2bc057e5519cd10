import { type McpCaller, type McpTool, PortError } from '../../../engine/ports.js';
import type { Log } from '../../../platform/logging/log.js';
import type { RevisionStore } from '../revision-store.js';
import { type StoredServer, storedMcpServers } from './stored-mcp-servers.js';
import type { ObservedTool, ToolPinStore } from './tool-pins.js';

/** Servers of one workflow that are asked; tools of the others are pinned at their first call. */
const MAX_SERVERS = 20;
/** Tools of one server: what an agent may offer at most, with room for those that it leaves out. */
const MAX_TOOLS = 200;
const MAX_TIMEOUT_MS = 10_000;
/** Revisions that one process looks after at the same time, and that wait for their turn. */
const MAX_AT_ONCE = 4;
const MAX_WAITING = 1_000;

/**
 * Pins the tools of workflows that were saved, in the background: no save waits for a server or fails because of one. Work
 * that is lost with the process costs nothing but the time of pinning: the first call pins then.
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
  ) {}

  /** Call it after the commit. A revision whose tools are being looked at is looked at again. */
  pinSoon(revisionId: number): void {
    if (this.#stop.signal.aborted || this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.add(revisionId);
    this.#startWaiting();
  }

  /** Ends what is under way; takes no more. */
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
      this.#active.set(id, this.#pinAndGoOn(id));
    }
  }

  async #pinAndGoOn(revisionId: number): Promise<void> {
    try {
      await this.#pin(revisionId);
    } catch (error) {
      this.log.debug({ revision: revisionId, reason: (error as Error).message }, 'tools were not pinned');
    } finally {
      this.#active.delete(revisionId);
      this.#startWaiting();
    }
  }

  async #pin(revisionId: number): Promise<void> {
    const [revision] = await this.revisions.read([revisionId]);
    const servers = revision ? storedMcpServers(revision).slice(0, MAX_SERVERS) : [];
    if (servers.length === 0) return;
    const seenAt = await this.pins.now();
    const seen = await Promise.all(servers.map(server => this.#look(revisionId, server)));
    if (!this.#stop.signal.aborted) await this.pins.renew(revisionId, seen.flat(), seenAt);
  }

  async #look(revisionId: number, { nodeId, server, pinned }: StoredServer): Promise<ObservedTool[]> {
    try {
      const timeoutMs = Math.min(server.timeoutMs, MAX_TIMEOUT_MS);
      const tools = await this.mcp.listTools({ ...server, timeoutMs }, this.#stop);
      return tools.flatMap(tool => this.#seen(nodeId, tool, pinned)).slice(0, MAX_TOOLS);
    } catch (error) {
      this.log.debug(
        { revision: revisionId, node: nodeId, reason: error instanceof PortError ? error.code : (error as Error).name },
        'an MCP server did not list its tools for pinning',
      );
      return [];
    }
  }

  #seen(nodeId: string, tool: McpTool, pinned: StoredServer['pinned']): ObservedTool[] {
    const name = pinned(tool.name);
    return name === undefined ? [] : [{ nodeId, tool: name, schemaHash: this.mcp.schemaHash(tool) }];
  }
}

import { createHash } from 'node:crypto';
import type { ToolPins } from '../../../engine/workflow/graph/node-kind.js';
import type { Database } from '../../../platform/database/database.js';

/** A tool as it was seen: `tool` is the name by which its node asks for the pin. */
export interface SeenTool {
  nodeId: string;
  tool: string;
  schemaHash: string;
}

/** Bytes of a name that is stored as it is: ids and names come from outside, and an index row holds 2,700. */
const MAX_NAME_BYTES = 400;

/**
 * What the tools of MCP servers looked like when a workflow was saved, or when they were first called. Pins belong to a
 * revision, so what is saved later never changes what a running run may call.
 */
export class ToolPinStore {
  constructor(private readonly database: Database) {}

  /**
   * The pins of a revision as its nodes ask for them, read once. They are not cached beyond the run that reads them: saving
   * a workflow again renews the pins of the revision that it has.
   */
  async of(revisionId: number): Promise<(nodeId: string) => ToolPins> {
    const rows = await this.database.query<SeenTool>(
      `select node_id as "nodeId", tool, schema_hash as "schemaHash" from workflow_revision_tool_pin where revision_id = $1`,
      [revisionId],
    );
    const known = new Map(rows.map(row => [keyOf(row.nodeId, row.tool), row.schemaHash]));
    return nodeId => ({
      hashOf: tool => known.get(keyOf(stored(nodeId), stored(tool))),
      keep: async (tool, schemaHash) => {
        known.set(keyOf(stored(nodeId), stored(tool)), schemaHash);
        await this.#keep(revisionId, { nodeId, tool, schemaHash });
      },
    });
  }

  /** Of several first calls at once the first one counts. */
  async #keep(revisionId: number, { nodeId, tool, schemaHash }: SeenTool): Promise<void> {
    await this.database.query(
      `insert into workflow_revision_tool_pin (revision_id, node_id, tool, schema_hash) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [revisionId, stored(nodeId), stored(tool), schemaHash],
    );
  }

  /** The database's time, by which of two looks at a server the later one is told. */
  async now(): Promise<string> {
    const [row] = await this.database.query<{ now: string }>('select clock_timestamp()::text as now');
    return row!.now;
  }

  /** Takes what was seen at `seenAt` as the present form of the tools, unless somebody has looked later. */
  async renew(revisionId: number, seen: readonly SeenTool[], seenAt: string): Promise<void> {
    const byKey = new Map(seen.map(each => [keyOf(each.nodeId, each.tool), each]));
    const tools = [...byKey.values()];
    await this.database.query(
      `insert into workflow_revision_tool_pin as pin (revision_id, node_id, tool, schema_hash, seen_at)
       select r.id, s.node_id, s.tool, s.schema_hash, $5::timestamptz
         from unnest($2::text[], $3::text[], $4::text[]) as s (node_id, tool, schema_hash)
              join workflow_revision r on r.id = $1
        order by s.node_id, s.tool
       on conflict (revision_id, node_id, tool) do update
          set schema_hash = excluded.schema_hash, seen_at = excluded.seen_at where pin.seen_at <= excluded.seen_at`,
      [
        revisionId,
        tools.map(({ nodeId }) => stored(nodeId)),
        tools.map(({ tool }) => stored(tool)),
        tools.map(({ schemaHash }) => schemaHash),
        seenAt,
      ],
    );
  }
}

function keyOf(nodeId: string, tool: string): string {
  return JSON.stringify([nodeId, tool]);
}

/** A name that no index and no text column refuses. */
function stored(name: string): string {
  const isPlain = name.isWellFormed() && !name.includes('\0') && Buffer.byteLength(name) <= MAX_NAME_BYTES;
  return isPlain ? name : `sha256:${createHash('sha256').update(JSON.stringify(name)).digest('hex')}`;
}

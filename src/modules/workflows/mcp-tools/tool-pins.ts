import { createHash } from 'node:crypto';
import type { ToolPins } from '../../../engine/workflow/graph/node-kind.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, queries } from '../../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../workflow-tables.js';

/** A tool as it was seen: `tool` is the name by which its node asks for the pin. */
export interface ObservedTool {
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
    const rows = await this.#tables()
      .selectFrom('workflow_revision_tool_pin')
      .select(['node_id as nodeId', 'tool', 'schema_hash as schemaHash'])
      .where('revision_id', '=', revisionId)
      .execute();
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
  async #keep(revisionId: number, { nodeId, tool, schemaHash }: ObservedTool): Promise<void> {
    await this.#tables()
      .insertInto('workflow_revision_tool_pin')
      .values({ revision_id: revisionId, node_id: stored(nodeId), tool: stored(tool), schema_hash: schemaHash })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }

  /** The database's time, by which of two looks at a server the later one is told. */
  async now(): Promise<string> {
    const { now } = await this.#tables()
      .selectNoFrom(expression<string>`clock_timestamp()::text`.as('now'))
      .executeTakeFirstOrThrow();
    return now;
  }

  /** Takes what was seen at `seenAt` as the present form of the tools, unless somebody has looked later. */
  async renew(revisionId: number, seen: readonly ObservedTool[], seenAt: string): Promise<void> {
    const byKey = new Map(seen.map(each => [keyOf(each.nodeId, each.tool), each]));
    const tools = [...byKey.values()];
    const rows = expression<ToolPin>`unnest(${tools.map(({ nodeId }) => stored(nodeId))}::text[],
      ${tools.map(({ tool }) => stored(tool))}::text[], ${tools.map(({ schemaHash }) => schemaHash)}::text[])`;
    await this.#tables()
      .insertInto('workflow_revision_tool_pin')
      .columns(['revision_id', 'node_id', 'tool', 'schema_hash', 'seen_at'])
      .expression(({ selectFrom }) =>
        selectFrom(rows.as<'s'>(expression`s(node_id, tool, schema_hash)`))
          // A revision that is gone takes no pins.
          .innerJoin('workflow_revision as r', join => join.on('r.id', '=', revisionId))
          .select([
            'r.id',
            's.node_id',
            's.tool',
            's.schema_hash',
            expression<Date>`${seenAt}::timestamptz`.as('seen_at'),
          ])
          .orderBy('s.node_id')
          .orderBy('s.tool'),
      )
      .onConflict(conflict =>
        conflict
          .columns(['revision_id', 'node_id', 'tool'])
          .doUpdateSet(({ ref }) => ({ schema_hash: ref('excluded.schema_hash'), seen_at: ref('excluded.seen_at') }))
          .whereRef('workflow_revision_tool_pin.seen_at', '<=', 'excluded.seen_at'),
      )
      .execute();
  }

  #tables() {
    return queries<WorkflowTables>(this.database);
  }
}

interface ToolPin {
  node_id: string;
  tool: string;
  schema_hash: string;
}

function keyOf(nodeId: string, tool: string): string {
  return JSON.stringify([nodeId, tool]);
}

/** A name that no index and no text column refuses. */
function stored(name: string): string {
  const isPlain = name.isWellFormed() && !name.includes('\0') && Buffer.byteLength(name) <= MAX_NAME_BYTES;
  return isPlain ? name : `sha256:${createHash('sha256').update(JSON.stringify(name)).digest('hex')}`;
}

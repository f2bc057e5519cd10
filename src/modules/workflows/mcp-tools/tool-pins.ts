import { createHash } from 'node:crypto';
import type { ToolPins } from '../../../engine/workflow/graph/node-kind.js';
import type { Database } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import type { WorkflowTables } from '../workflow-tables.js';

/** A tool as listed by its server. `tool` is the name under which its node pins it. */
export interface ObservedTool {
  nodeId: string;
  tool: string;
  schemaHash: string;
}

/** Longer names are stored as a hash: an index row of PostgreSQL holds about 2,700 bytes. */
const MAX_NAME_BYTES = 400;

/**
 * Stores the schema hashes of MCP tools, taken when a workflow is saved or at the first call. Pins belong to a revision, so
 * that saving a workflow does not change the tools of active runs.
 */
export class ToolPinStore {
  constructor(private readonly database: Database) {}

  /**
   * Reads the pins of a revision and returns them by node. They are cached only for one run, because saving an unchanged
   * workflow renews the pins of its current revision.
   */
  async of(revisionId: number): Promise<(nodeId: string) => ToolPins> {
    const rows = await this.#tables()
      .selectFrom('workflow_revision_tool_pin')
      .select(['node_id as nodeId', 'tool', 'schema_hash as schemaHash'])
      .where('revision_id', '=', revisionId)
      .execute();
    const hashes = new Map(rows.map(row => [keyOf(row.nodeId, row.tool), row.schemaHash]));
    return nodeId => ({
      hashOf: tool => hashes.get(keyOf(toStorableName(nodeId), toStorableName(tool))),
      keep: async (tool, schemaHash) => {
        hashes.set(keyOf(toStorableName(nodeId), toStorableName(tool)), schemaHash);
        await this.#keep(revisionId, { nodeId, tool, schemaHash });
      },
    });
  }

  /** Stores a pin. Of several concurrent first calls, the first one wins. */
  async #keep(revisionId: number, { nodeId, tool, schemaHash }: ObservedTool): Promise<void> {
    await this.#tables()
      .insertInto('workflow_revision_tool_pin')
      .values({
        revision_id: revisionId,
        node_id: toStorableName(nodeId),
        tool: toStorableName(tool),
        schema_hash: schemaHash,
      })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  }

  /** The time of the database, which orders the observations of a server by several processes. */
  async now(): Promise<string> {
    const { now } = await this.#tables()
      .selectNoFrom(expression<string>`clock_timestamp()::text`.as('now'))
      .executeTakeFirstOrThrow();
    return now;
  }

  /** Replaces the pins of the tools in `seen`, unless a newer observation than `seenAt` exists. */
  async renew(revisionId: number, seen: readonly ObservedTool[], seenAt: string): Promise<void> {
    const byKey = new Map(seen.map(each => [keyOf(each.nodeId, each.tool), each]));
    const tools = [...byKey.values()];
    const rows = expression<ToolPin>`unnest(${tools.map(({ nodeId }) => toStorableName(nodeId))}::text[],
      ${tools.map(({ tool }) => toStorableName(tool))}::text[], ${tools.map(({ schemaHash }) => schemaHash)}::text[])`;
    await this.#tables()
      .insertInto('workflow_revision_tool_pin')
      .columns(['revision_id', 'node_id', 'tool', 'schema_hash', 'seen_at'])
      .expression(({ selectFrom }) =>
        selectFrom(rows.as<'s'>(expression`s(node_id, tool, schema_hash)`))
          // Skips a revision that was deleted.
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
    return queryBuilder<WorkflowTables>(this.database);
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

/** The name, or its hash when PostgreSQL cannot store or index it. */
function toStorableName(name: string): string {
  const isPlain = name.isWellFormed() && !name.includes('\0') && Buffer.byteLength(name) <= MAX_NAME_BYTES;
  return isPlain ? name : `sha256:${createHash('sha256').update(JSON.stringify(name)).digest('hex')}`;
}

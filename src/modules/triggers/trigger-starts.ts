import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { keyedQuery, type Placeholder, preparedQuery } from '../../platform/database/prepared-queries.js';
import { expression, type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { DomainError } from '../../platform/errors/errors.js';
import { BatchedReads } from '../../platform/sql/batched-reads.js';
import { Batcher } from '../../platform/sql/batcher.js';
import type { AccountTables } from '../accounts/account-tables.js';
import type { Viewer } from '../accounts/viewer.js';
import type { WorkflowRunService } from '../workflow-runs/history/workflow-run.service.js';
import { applyMapping, MappingError } from './mapping.js';
import type { FiringOutcome } from './trigger-firing.entity.js';
import type { TriggerTables } from './trigger-tables.js';

/** One entry of the log of a trigger. */
export interface Firing {
  triggerId: number;
  outcome: FiringOutcome;
  dueAt?: Date;
  runId?: string;
  reason?: string;
}

/** The started run, or why there is none. */
export type Start = { outcome: 'started'; runId: string } | { outcome: 'refused'; runId?: string; reason: string };

/** The members of a trigger that its runs need. */
export interface StartingTrigger {
  id: number;
  workflowId: number;
  userId: number | null;
  input: Record<string, unknown>;
  /** Null: the default environment. */
  environment: string | null;
}

/** Errors after which the same start may succeed later. */
const TEMPORARY = new Set(['RATE_LIMITED', 'UNAVAILABLE']);
const MAX_REASON_CHARACTERS = 500;

const FIND_VIEWERS = keyedQuery(
  'viewers-of-triggers',
  (tables: QueryCreator<AccountTables>, value: Placeholder<{ userIds: number[] }>) =>
    tables
      .selectFrom('app_user')
      .select(['id as userId', 'is_admin as isAdmin'])
      .where('id', '=', expression<number>`any(${value('userIds')}::int[])`)
      .where('disabled_at', 'is', null),
);

const FIRING_COLUMNS = ['id', 'trigger_id', 'outcome', 'due_at', 'run_id', 'reason'] as const;

const INSERT_FIRINGS = preparedQuery(
  'insert-firings',
  (tables: QueryCreator<TriggerTables>, value: Placeholder<{ rows: string }>) =>
    tables
      .insertInto('trigger_firing')
      .columns(FIRING_COLUMNS)
      .expression(({ selectFrom }) =>
        selectFrom(
          expression<TriggerTables['trigger_firing']>`
            json_populate_recordset(null::trigger_firing, ${value('rows')}::json)`.as('f'),
        ).select(FIRING_COLUMNS),
      ),
);

/** Starts the runs of triggers with the rights of their users, and writes the log. */
export class TriggerStarts {
  readonly #log: Batcher<Firing, void>;
  readonly #viewers: BatchedReads<number, Viewer>;

  constructor(
    private readonly database: Database,
    private readonly runs: WorkflowRunService,
  ) {
    this.#log = new Batcher(
      async firings => {
        await INSERT_FIRINGS(this.database, { rows: JSON.stringify(firings.map(rowOf)) });
        return new Array<void>(firings.length).fill();
      },
      { concurrency: 1, maxBatch: 200 },
    );
    this.#viewers = new BatchedReads(
      id => id,
      async ids => {
        const users = await FIND_VIEWERS(database, { userIds: [...ids] });
        return users.map((user): [number, Viewer] => [user.userId, { ...user, via: 'service' }]);
      },
    );
  }

  /**
   * Starts a run with this id; a repeated start has no effect and returns the same result. Throws only errors after which the start
   * may succeed later. `ancestry`: the workflows that led to the run.
   */
  async start(
    trigger: StartingTrigger,
    input: Record<string, unknown>,
    runId: string,
    ancestry: readonly number[] = [],
  ): Promise<Start> {
    const viewer = await this.viewerOf(trigger);
    if (!viewer)
      return { outcome: 'refused', reason: 'The user of the trigger is disabled or deleted: save the trigger again.' };
    try {
      const request = {
        input: { ...trigger.input, ...input },
        reservedId: runId,
        ancestry,
        environment: trigger.environment,
      };
      const receipt = await this.runs.start(viewer, trigger.workflowId, request);
      if (receipt.status === 201) return { outcome: 'started', runId };
      return { outcome: 'refused', runId, reason: reasonOf(receipt.data) };
    } catch (error) {
      if (!(error instanceof DomainError) || TEMPORARY.has(error.extensions.code)) throw error;
      const { code } = error.extensions;
      const isGone = code === 'FORBIDDEN' || code === 'NOT_FOUND';
      return {
        outcome: 'refused',
        reason: isGone ? 'The user of the trigger may not run this workflow.' : error.message,
      };
    }
  }

  /** Starts a run whose input is built by a mapping, otherwise like `start`. A mapping that cannot be evaluated refuses the run. */
  async startMapped(
    trigger: StartingTrigger,
    { mapping, members }: { mapping: unknown; members: Record<string, unknown> },
    runId: string,
    ancestry?: readonly number[],
  ): Promise<Start> {
    let input: Record<string, unknown>;
    try {
      input = applyMapping(mapping, members);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      return { outcome: 'refused', reason: error.message };
    }
    return this.start(trigger, input, runId, ancestry);
  }

  /** The user of a trigger. Undefined: it is disabled or deleted. Concurrent calls share one statement. */
  async viewerOf({ userId }: Pick<StartingTrigger, 'userId'>): Promise<Viewer | undefined> {
    return userId === null ? undefined : this.#viewers.read(userId);
  }

  /** Writes an entry of the log. Concurrent entries share one statement, which does not set the newest run of the trigger. */
  record(firing: Firing): Promise<void> {
    return this.#log.add(firing);
  }

  /**
   * Writes an entry of the log with a given id, and a started run as the newest one of the trigger. A repeated call has no
   * effect and returns false.
   */
  async recordOnce(id: string, firing: Firing, sql: Sql = this.database): Promise<boolean> {
    const inserted = await queryBuilder<TriggerTables>(sql)
      .insertInto('trigger_firing')
      .values({ ...rowOf(firing), id })
      .onConflict(conflict => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) return false;
    if (firing.outcome === 'started')
      await queryBuilder<TriggerTables>(sql)
        .updateTable('workflow_trigger')
        .set({ last_run_id: firing.runId ?? null })
        .where('id', '=', firing.triggerId)
        .execute();
    return true;
  }

  /** Writes entries of the log in a transaction. */
  async insertFirings(sql: Sql, firings: readonly Firing[]): Promise<void> {
    if (firings.length === 0) return;
    await queryBuilder<TriggerTables>(sql).insertInto('trigger_firing').values(firings.map(rowOf)).execute();
  }
}

function rowOf({ triggerId, outcome, dueAt, runId, reason }: Firing) {
  return {
    ...{ id: timeOrderedUuid(), trigger_id: triggerId, outcome, due_at: dueAt ?? null, run_id: runId ?? null },
    reason: reason?.slice(0, MAX_REASON_CHARACTERS) ?? null,
  };
}

function reasonOf({ error, data }: { error: unknown; data: unknown }): string {
  const message = (error as { message?: string } | null)?.message;
  if (message) return message;
  const [node] = Object.keys((data ?? {}) as object);
  return node === undefined ? 'The run was refused.' : `The node ${node} is invalid: see the run.`;
}

import type { Queue } from '../../../durable/queue.js';
import { PortError } from '../../../engine/ports.js';
import { maskValues } from '../../../engine/secrets.js';
import type { EventToSend } from '../../../engine/wait-ports.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { derivedUuid, timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { InvalidInputError, RateLimitedError } from '../../../platform/errors/errors.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import { openInput, secretsOf } from '../admission/sealed-input.js';
import { chainOf } from '../execution/run-chain.js';
import type { ClaimedRun } from '../execution/run-claims.js';
import type { RunTables } from '../run-tables.js';
import { KEPT_MINUTES } from './event-retention.js';
import { eventDigest } from './event-waits.js';
import { EVENT_QUEUE } from './workflow-event.job.js';
import type { WorkflowEvent } from './workflow-event.type.js';

// Limits in characters.
export const MAX_NAME = 200;
export const MAX_KEY = 500;
export const MAX_PAYLOAD = 262_144;
/** Maximum number of events of a project that are kept at the same time. */
export const MAX_KEPT_EVENTS = 10_000;
const RETRY_AFTER_SECONDS = 60;

/** An event as its sender states it. */
export interface EventInput {
  name: string;
  correlationKey: string | null;
  payload: unknown;
}

/** An event with checked members. */
interface NewEvent extends ReturnType<typeof checkInput> {
  id: string;
  projectId: number;
  digest: Buffer;
  ancestry: number[];
}

/** Sends events to the runs and the triggers of a project. */
export class WorkflowEventService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly queue: Queue,
    private readonly vault: Vault,
    private readonly revisions: Pick<RevisionStore, 'get'>,
  ) {}

  /**
   * Sends an event; `reservedId` is its id, so that a repeated call has no effect. Throws InvalidInputError for invalid
   * members and RateLimitedError when the project has too many kept events.
   */
  async send(viewer: Viewer, projectId: number, input: EventInput, reservedId?: string): Promise<WorkflowEvent> {
    await this.access.authorize(viewer, projectId, 'workflow.run');
    const checked = checkInput(input);
    const digest = eventDigest(this.vault, checked.name, checked.correlationKey);
    return this.#insert({ id: reservedId ?? timeOrderedUuid(), projectId, digest, ancestry: [], ...checked });
  }

  /**
   * Sends an event of a run. A repeated call with the same key has no effect. The stored event has masks in place of the
   * secrets of the run. Returns the id of the event.
   */
  async sendFromRun(run: ClaimedRun, { idempotencyKey, name, key, payload }: EventToSend): Promise<string> {
    const { secrets } = await this.revisions.get(run.revisionId);
    const hidden = secretsOf(openInput(this.vault, run), secrets);
    const id = derivedUuid(`event of run ${run.id}\n${idempotencyKey}`);
    try {
      const checked = checkInput({ name, ...maskValues({ correlationKey: key, payload }, hidden) });
      const digest = eventDigest(this.vault, name, key);
      await this.#insert({ id, projectId: run.projectId, digest, ancestry: chainOf(run), ...checked });
      return id;
    } catch (error) {
      if (error instanceof RateLimitedError) throw new PortError('too_many_events', error.message);
      if (error instanceof InvalidInputError) throw new PortError('invalid_event', error.message, { isFinal: true });
      throw error;
    }
  }

  async #insert({ id, projectId, name, correlationKey, payload, digest, ancestry }: NewEvent): Promise<WorkflowEvent> {
    const event = await this.database.transaction(async sql => {
      const row = await queryBuilder<RunTables>(sql)
        .insertInto('workflow_event')
        .values({
          id,
          project_id: projectId,
          name,
          correlation_key: correlationKey,
          digest,
          ancestry,
          payload: JSON.stringify(payload),
        })
        .onConflict(conflict => conflict.column('id').doNothing())
        .returning('sent_at as sentAt')
        .executeTakeFirst();
      if (!row) return undefined;
      await assertWithinLimit(sql, projectId);
      await this.queue.send(EVENT_QUEUE, [{ id, group: { id: String(projectId) } }], sql);
      failpoint('event.before-commit');
      return { id, name, correlationKey, sentAt: row.sentAt };
    });
    failpoint('event.after-commit');
    return event ?? { id, name, correlationKey, sentAt: await this.#sentAt(id) };
  }

  async #sentAt(id: string): Promise<Date> {
    const row = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_event')
      .select('sent_at as sentAt')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.sentAt ?? new Date();
  }
}

/** Called after the insertion, so that the repetition of a sent event is never refused. */
async function assertWithinLimit(sql: Sql, projectId: number): Promise<void> {
  const beyond = await queryBuilder<RunTables>(sql)
    .selectFrom('workflow_event')
    .select('id')
    .where('project_id', '=', projectId)
    .where('sent_at', '>', expression<Date>`now() - make_interval(mins => ${KEPT_MINUTES})`)
    .orderBy('sent_at')
    .offset(MAX_KEPT_EVENTS)
    .limit(1)
    .execute();
  if (beyond.length > 0)
    throw new RateLimitedError(
      RETRY_AFTER_SECONDS,
      `The project has sent ${MAX_KEPT_EVENTS} events within ${KEPT_MINUTES} minutes. Try again later.`,
    );
}

function checkInput({ name, correlationKey, payload }: EventInput) {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: MAX_NAME });
  faults.text('correlationKey', correlationKey ?? undefined, { max: MAX_KEY });
  const value = payload ?? null;
  if (isUnstorableJson(value))
    faults.add(
      'payload',
      `Ensure this value has at most ${MAX_JSON_DEPTH} levels and no null characters or lone surrogates.`,
    );
  else if (JSON.stringify(value).length > MAX_PAYLOAD)
    faults.add('payload', `Ensure this value has no more than ${MAX_PAYLOAD} characters as JSON.`);
  faults.throwIfAny();
  return { name, correlationKey: correlationKey ?? '', payload: value };
}

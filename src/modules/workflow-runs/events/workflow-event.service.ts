import type { Queue } from '../../../durable/queue.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { expression, queries } from '../../../platform/database/typed-queries.js';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import { Faults, isUnstorableJson } from '../../../platform/errors/fields.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RunTables } from '../run-tables.js';
import { KEPT_MINUTES } from './event-retention.js';
import { eventDigest } from './event-waits.js';
import { EVENT_QUEUE } from './workflow-event.job.js';
import type { WorkflowEvent } from './workflow-event.type.js';

export const MAX_NAME = 200;
export const MAX_KEY = 500;
export const MAX_PAYLOAD = 262_144;
/** Maximum number of events of a project that are kept at the same time. */
export const MAX_KEPT_EVENTS = 10_000;
const RETRY_SECONDS = 60;

export interface EventInput {
  name: string;
  correlationKey: string | null;
  payload: unknown;
}

/** Sends events to the runs of a project. */
export class WorkflowEventService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly queue: Queue,
    private readonly vault: Vault,
  ) {}

  /**
   * Sends an event; `reservedId` is its id, so that a repeated call has no effect. Throws InvalidInputError for invalid
   * members and RateLimitedError when the project has too many kept events.
   */
  async send(viewer: Viewer, projectId: number, input: EventInput, reservedId?: string): Promise<WorkflowEvent> {
    await this.access.authorize(viewer, projectId, 'workflow.run');
    const { name, correlationKey, payload } = checkInput(input);
    const id = reservedId ?? timeOrderedUuid();
    const digest = eventDigest(this.vault, name, correlationKey);
    const event = await this.database.transaction(async sql => {
      await assertBelowLimit(sql, projectId);
      const row = await queries<RunTables>(sql)
        .insertInto('workflow_event')
        .values({
          id,
          project_id: projectId,
          name,
          correlation_key: correlationKey,
          digest,
          payload: JSON.stringify(payload),
        })
        .onConflict(conflict => conflict.column('id').doNothing())
        .returning('sent_at as sentAt')
        .executeTakeFirst();
      if (!row) return undefined;
      await this.queue.send(EVENT_QUEUE, [{ id }], sql);
      failpoint('event.before-commit');
      return { id, name, correlationKey, sentAt: row.sentAt };
    });
    failpoint('event.after-commit');
    return event ?? { id, name, correlationKey, sentAt: await this.#sentAt(id) };
  }

  async #sentAt(id: string): Promise<Date> {
    const row = await queries<RunTables>(this.database)
      .selectFrom('workflow_event')
      .select('sent_at as sentAt')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.sentAt ?? new Date();
  }
}

async function assertBelowLimit(sql: Sql, projectId: number): Promise<void> {
  const kept = await queries<RunTables>(sql)
    .selectFrom('workflow_event')
    .select('id')
    .where('project_id', '=', projectId)
    .where('sent_at', '>', expression<Date>`now() - make_interval(mins => ${KEPT_MINUTES})`)
    .orderBy('sent_at')
    .offset(MAX_KEPT_EVENTS - 1)
    .limit(1)
    .execute();
  if (kept.length > 0)
    throw new RateLimitedError(
      RETRY_SECONDS,
      `The project has sent ${MAX_KEPT_EVENTS} events within ${KEPT_MINUTES} minutes. Try again later.`,
    );
}

function checkInput({ name, correlationKey, payload }: EventInput) {
  const faults = new Faults();
  faults.text('name', name, { min: 1, max: MAX_NAME });
  faults.text('correlationKey', correlationKey ?? undefined, { max: MAX_KEY });
  const value = payload ?? null;
  if (isUnstorableJson(value))
    faults.add('payload', 'Ensure this value has at most 64 levels and no null characters or lone surrogates.');
  else if (JSON.stringify(value).length > MAX_PAYLOAD)
    faults.add('payload', `Ensure this value has no more than ${MAX_PAYLOAD} characters as JSON.`);
  faults.throwIfAny();
  return { name, correlationKey: correlationKey ?? '', payload: value };
}

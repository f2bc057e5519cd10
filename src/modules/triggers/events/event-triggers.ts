import { forEachDespiteErrors } from '../../../platform/async/for-each-despite-errors.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { expression } from '../../../platform/database/typed-queries.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { DeliveredEvent } from '../../workflow-runs/events/event-listeners.js';
import { chainFault } from '../../workflow-runs/execution/run-chain.js';
import { type StoredTrigger, selectTriggers } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';
import type { TriggerEvent } from './event-trigger.type.js';

/** The most triggers that one event starts. */
const MAX_PER_EVENT = 100;

/**
 * Starts the runs of event triggers. The job of the event calls it, again after a failure; the ids of runs derive from the
 * trigger and the event, so that a repeated call starts no second run.
 */
export class EventTriggers {
  constructor(
    private readonly database: Database,
    private readonly starts: TriggerStarts,
  ) {}

  async deliver(event: DeliveredEvent): Promise<void> {
    const triggers = await selectTriggers(this.database)
      .where('t.project_id', '=', event.projectId)
      .where('t.kind', '=', 'event')
      .where('t.is_enabled', '=', true)
      .where('w.archived_at', 'is', null)
      .where('w.paused_at', 'is', null)
      .where(expression<string>`t.settings ->> 'name'`, '=', event.name)
      .where(
        expression<boolean>`coalesce(t.settings ->> 'correlationKey', ${event.correlationKey}) = ${event.correlationKey}`,
      )
      .orderBy('t.id')
      .limit(MAX_PER_EVENT)
      .execute();
    await forEachDespiteErrors(triggers, trigger => this.#start(trigger, event));
  }

  async #start(trigger: StoredTrigger, event: DeliveredEvent): Promise<void> {
    const { id, workflowId } = trigger;
    const runId = derivedUuid(`event trigger ${id} ${event.id}`);
    const fault = chainFault(event.ancestry, workflowId);
    if (fault) {
      await this.starts.recordOnce(runId, { triggerId: id, outcome: 'skipped', reason: fault.message });
      return;
    }
    const { name, correlationKey, payload } = event;
    const members = { payload, name, correlation_key: correlationKey, event_id: event.id };
    const { mapping } = trigger.settings as unknown as TriggerEvent;
    const start = await this.starts.startMapped(trigger, { mapping, members }, runId, event.ancestry);
    failpoint('event-trigger.after-start');
    await this.starts.recordOnce(runId, { triggerId: id, ...start });
  }
}

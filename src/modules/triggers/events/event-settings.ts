import type { Sql } from '../../../platform/database/database.js';
import { anyInt, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import { MAX_KEY, MAX_NAME } from '../../workflow-runs/events/workflow-event.service.js';
import { checkMapping } from '../mapping.js';
import type { TriggerTables } from '../trigger-tables.js';
import type { TriggerEventInput, TriggerFailureInput } from './event-trigger.inputs.js';
import type { TriggerEvent, TriggerFailure } from './event-trigger.type.js';

/** The members of an event that a mapping may refer to. */
const EVENT_MEMBERS = ['payload', 'name', 'correlation_key', 'event_id'];
const MAX_WORKFLOWS = 100;

/** Checks the settings of an event trigger and returns their stored form. Faults are added with the prefix `event.`. */
export function checkEvent({ name, correlationKey, mapping }: TriggerEventInput, faults: Faults): TriggerEvent {
  const own = new Faults();
  own.text('name', name, { min: 1, max: MAX_NAME });
  own.text('correlationKey', correlationKey ?? undefined, { max: MAX_KEY });
  if ((mapping ?? null) !== null) checkMapping(mapping, EVENT_MEMBERS, own);
  faults.addWithin('event', own);
  return { name, correlationKey: correlationKey ?? null, mapping: mapping ?? null };
}

/** Checks the settings of a failure trigger and returns their stored form. Faults are added with the prefix `failure.`. */
export async function checkFailure(
  sql: Sql,
  { workflowIds }: TriggerFailureInput,
  workflow: { id: number; projectId: number },
  faults: Faults,
): Promise<TriggerFailure> {
  const ids = [...new Set(workflowIds ?? [])];
  if (ids.length > MAX_WORKFLOWS)
    faults.add('failure.workflowIds', `Ensure this list has no more than ${MAX_WORKFLOWS} items.`);
  else if (ids.length > 0) {
    const known = await queryBuilder<TriggerTables>(sql)
      .selectFrom('workflow')
      .select('id')
      .where('id', '=', anyInt(ids))
      .where('project_id', '=', workflow.projectId)
      .where('archived_at', 'is', null)
      .execute();
    const found = new Set(known.map(({ id }) => id));
    for (const id of ids)
      if (!found.has(id)) faults.add('failure.workflowIds', `The project has no workflow ${id}: remove the id.`);
    if (ids.includes(workflow.id))
      faults.add('failure.workflowIds', 'A failure of the workflow cannot start the workflow itself: remove its id.');
  }
  return { workflowIds: ids };
}

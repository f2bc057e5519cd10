import { toSchedule } from '../stored-trigger.js';
import type { ScheduleSettings } from '../trigger-settings.js';
import type { WorkflowTrigger } from '../workflow-trigger.type.js';
import { nextOccurrence, startTime } from './schedule.js';

/** The stored settings of a schedule. Undefined for other kinds. */
export function scheduleSettingsOf({ schedule }: Pick<WorkflowTrigger, 'schedule'>): ScheduleSettings | undefined {
  return schedule ? { ...schedule, at: schedule.at?.toISOString() ?? null } : undefined;
}

/**
 * The columns of the next occurrence of a schedule and its start. Null without a schedule. `hasNewTime`: a single time has
 * started no run yet, so it is due even if it has just passed.
 */
export function nextStartColumns(id: number, schedule: ScheduleSettings | undefined, hasNewTime = false) {
  const isDue = hasNewTime && schedule?.at != null;
  const next = isDue ? new Date(schedule.at!) : schedule ? nextOccurrence(toSchedule(schedule), new Date()) : null;
  return { next_at: next, start_at: next && startTime(id, next, schedule!.jitterSeconds) };
}

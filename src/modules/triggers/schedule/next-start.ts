import { toSchedule } from '../stored-trigger.js';
import type { ScheduleSettings } from '../trigger-settings.js';
import type { WorkflowTrigger } from '../workflow-trigger.type.js';
import { nextOccurrence, startTime } from './schedule.js';

/** The stored settings of a schedule. Undefined for other kinds. */
export function scheduleSettingsOf({ schedule }: Pick<WorkflowTrigger, 'schedule'>): ScheduleSettings | undefined {
  return schedule ? { ...schedule, at: schedule.at?.toISOString() ?? null } : undefined;
}

/**
 * The columns of the next occurrence of a schedule and its start. Null without a schedule. `isNewTime`: the single time of
 * the schedule has just been set. It starts even if it has just passed.
 */
export function nextStartColumns(id: number, settings: ScheduleSettings | undefined, isNewTime = false) {
  const schedule = settings && toSchedule(settings);
  const newTime = isNewTime ? schedule?.at : null;
  const next = newTime ?? (schedule ? nextOccurrence(schedule, new Date()) : null);
  return { next_at: next, start_at: next && startTime(id, next, settings!.jitterSeconds) };
}

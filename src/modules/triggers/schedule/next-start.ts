import { type StoredTrigger, toSchedule } from '../stored-trigger.js';
import type { ScheduleSettings } from '../trigger-settings.js';
import type { Firing } from '../trigger-starts.js';
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

/**
 * The log entries of occurrences that a change of the schedule drops: one that waits for the end of the previous run, and
 * one that has passed and has not started yet because of its jitter.
 */
export function droppedOccurrences(
  { id, nextAt, waitingAt }: Pick<StoredTrigger, 'id' | 'nextAt' | 'waitingAt'>,
  reason: string,
): Firing[] {
  const passed = nextAt !== null && nextAt <= new Date() ? nextAt : null;
  return [waitingAt, passed]
    .filter(dueAt => dueAt !== null)
    .map(dueAt => ({ triggerId: id, outcome: 'skipped', dueAt, reason }));
}

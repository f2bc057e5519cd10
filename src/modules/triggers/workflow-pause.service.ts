import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateWorkflow } from '../workflows/locate-workflow.js';
import type { Workflow } from '../workflows/workflow.js';
import type { WorkflowService } from '../workflows/workflow.service.js';
import { setPaused } from '../workflows/workflow-pause.js';
import { droppedOccurrences, nextStartColumns, scheduleSettingsOf } from './schedule/next-start.js';
import { selectTriggers, toTrigger } from './stored-trigger.js';
import type { Firing, TriggerStarts } from './trigger-starts.js';
import type { TriggerTables } from './trigger-tables.js';

/** Pauses and resumes all triggers of a workflow. */
export class WorkflowPauseService {
  constructor(
    private readonly database: Database,
    private readonly workflows: WorkflowService,
    private readonly starts: TriggerStarts,
  ) {}

  /** Stops all triggers of a workflow. Occurrences during the pause do not exist. No effect when it is paused. */
  pause(viewer: Viewer, id: number): Promise<Workflow> {
    return this.#set(viewer, id, true);
  }

  /** Lets the triggers start runs again. Schedules continue with their next occurrence. No effect when it is not paused. */
  resume(viewer: Viewer, id: number): Promise<Workflow> {
    return this.#set(viewer, id, false);
  }

  /** The lock of the workflow also serializes changes of its triggers. */
  async #set(viewer: Viewer, id: number, isPaused: boolean): Promise<Workflow> {
    await this.database.transaction(async sql => {
      const workflow = await locateWorkflow(sql, viewer, id, 'trigger.update', { lock: true });
      if ((workflow.pausedAt !== null) === isPaused) return;
      await setPaused(sql, id, isPaused);
      await this.#reschedule(sql, id, isPaused);
      const action = isPaused ? 'workflow.pause' : 'workflow.resume';
      const { projectId } = workflow;
      await recordAuditEvent(sql, viewer, { action, object: { type: 'workflow', id }, projectId, detail: {} });
    });
    return this.workflows.get(viewer, id);
  }

  async #reschedule(sql: Sql, workflowId: number, isPaused: boolean): Promise<void> {
    const stored = await selectTriggers(sql)
      .where('t.workflow_id', '=', workflowId)
      .where('t.kind', '=', 'schedule')
      .orderBy('t.id')
      .forUpdate('t')
      .execute();
    const skipped: Firing[] = [];
    for (const trigger of stored) {
      const { id, isEnabled } = trigger;
      skipped.push(...droppedOccurrences(trigger, 'The workflow was paused.'));
      const schedule = isEnabled && !isPaused ? scheduleSettingsOf(toTrigger(trigger)) : undefined;
      await queryBuilder<TriggerTables>(sql)
        .updateTable('workflow_trigger')
        .set({ ...nextStartColumns(id, schedule), waiting_at: null })
        .where('id', '=', id)
        .execute();
    }
    await this.starts.insertFirings(sql, skipped);
  }
}

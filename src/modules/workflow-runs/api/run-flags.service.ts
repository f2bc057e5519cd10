import { GraphError } from '../../../engine/workflow/graph/graph.js';
import type { Database } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { ADVISORY_LOCKS } from '../../../platform/sql/advisory-locks.js';
import { takeTransactionLock } from '../../../platform/sql/transaction-lock.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { RunTables } from '../run-tables.js';

/** Marks runs as examples or as the template for the marketplace. */
export class RunFlagService {
  constructor(
    private readonly database: Database,
    private readonly runs: WorkflowRunService,
    private readonly revisions: RevisionStore,
  ) {}

  /** Sets whether a run is an example. A workflow may have any number of examples. */
  async setExample(viewer: Viewer, workflowId: number, id: string, isExample: boolean): Promise<WorkflowRun> {
    const run = await this.runs.get(viewer, id, workflowId, 'workflow.mark-example');
    if (isExample && run.isExpired) refuse('useInMarketplaceExample', EXPIRED);
    await queryBuilder<RunTables>(this.database)
      .updateTable('workflow_run')
      .set({ use_in_marketplace_example: isExample, updated_at: NOW })
      .where('id', '=', id)
      .execute();
    return this.runs.get(viewer, id);
  }

  /** Sets whether a run is the template of its workflow. A new template replaces the previous one. */
  async setTemplate(viewer: Viewer, workflowId: number, id: string, isTemplate: boolean): Promise<WorkflowRun> {
    const run = await this.runs.get(viewer, id, workflowId, 'workflow.mark-template');
    if (isTemplate) await this.#checkTemplate(run);
    await this.database.transaction(async sql => {
      // Serializes transactions per workflow: when two callers mark different runs, the later one wins.
      await takeTransactionLock(sql, ADVISORY_LOCKS.marketplaceTemplate, workflowId);
      const runs = queryBuilder<RunTables>(sql).updateTable('workflow_run');
      if (isTemplate)
        await runs
          .set({ use_as_marketplace_template: false, updated_at: NOW })
          .where('workflow_id', '=', workflowId)
          .where('use_as_marketplace_template', '=', true)
          .where('id', '<>', id)
          .execute();
      await runs.set({ use_as_marketplace_template: isTemplate, updated_at: NOW }).where('id', '=', id).execute();
    });
    return this.runs.get(viewer, id);
  }

  async #checkTemplate(run: WorkflowRun): Promise<void> {
    if (run.state !== 'succeeded')
      refuse('useAsMarketplaceTemplate', 'Only a run that has succeeded can be the template.');
    if (run.isExpired) refuse('useAsMarketplaceTemplate', EXPIRED);
    const { graph } = await this.revisions.get(run.revisionId);
    if (graph instanceof GraphError || graph.nodes.length === 0)
      refuse('useAsMarketplaceTemplate', 'The graph of this run is empty or invalid: choose a run with nodes.');
  }
}

const EXPIRED = 'The result of this run has expired: run the workflow again.';

function refuse(field: string, message: string): never {
  throw new InvalidInputError({ [field]: [message] });
}

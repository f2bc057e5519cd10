import DataLoader from 'dataloader';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { anyUuid, type QueryCreator, queryBuilder } from '../../../platform/database/typed-queries.js';
import { Faults } from '../../../platform/errors/fields.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { RunTables } from '../run-tables.js';
import { tagNames } from './run-tag-names.js';

/** Reads the tags of runs, in the order of the text. */
const READ_TAGS = keyedQuery(
  'run-tags',
  (tables: QueryCreator<RunTables>, value: Placeholder<{ ids: readonly string[] }>) =>
    tables
      .selectFrom('workflow_run_tag')
      .select(['run_id as id', 'tag'])
      .where('run_id', '=', anyUuid(value('ids')))
      .orderBy('tag'),
);

/** Labels by which people find runs. */
export class RunTagService {
  constructor(
    private readonly database: Database,
    private readonly runs: Pick<WorkflowRunService, 'get'>,
  ) {}

  /** Throws an InvalidInputError if a tag is invalid. */
  check(tags: readonly string[]): string[] {
    const faults = new Faults();
    const names = tagNames(faults, 'tags', tags);
    faults.throwIfAny();
    return names;
  }

  /** Replaces the tags of a run. */
  async set(
    viewer: Viewer,
    id: string,
    tags: readonly string[],
    workflowId: number | null = null,
  ): Promise<WorkflowRun> {
    const names = this.check(tags);
    const run = await this.runs.get(viewer, id, workflowId, 'workflow.run');
    await this.database.transaction(async sql => {
      const tables = queryBuilder<RunTables>(sql);
      // The lock of the row serializes two callers, so that the tags are those of one of them.
      await tables.selectFrom('workflow_run').select('id').where('id', '=', id).forNoKeyUpdate().execute();
      const earlier = await tables.deleteFrom('workflow_run_tag').where('run_id', '=', id).returning('tag').execute();
      if (names.length > 0)
        await tables
          .insertInto('workflow_run_tag')
          .values(names.map(tag => ({ run_id: id, tag, project_id: run.projectId })))
          .execute();
      if (sameTags(names, earlier)) return;
      await recordAuditEvent(sql, viewer, {
        action: 'workflow-run.tag',
        object: { type: 'workflow-run', id },
        projectId: run.projectId,
        detail: { tags: names },
      });
    });
    return run;
  }

  /** Loads the tags of a run, in the order of the text, with one query for all runs of a list. */
  of(context: RequestContext, id: string): Promise<string[]> {
    const loader = context.loader('workflowRun.tags', () => new DataLoader<string, string[]>(ids => this.#load(ids)));
    return loader.load(id);
  }

  async #load(ids: readonly string[]): Promise<string[][]> {
    const rows = await READ_TAGS(this.database, { ids });
    const byRun = Map.groupBy(rows, ({ id }) => id);
    return ids.map(id => (byRun.get(id) ?? []).map(({ tag }) => tag));
  }
}

function sameTags(names: readonly string[], rows: readonly { tag: string }[]): boolean {
  const stored = new Set(rows.map(({ tag }) => tag));
  return names.length === stored.size && names.every(name => stored.has(name));
}

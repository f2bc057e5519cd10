import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError } from '../../platform/errors/errors.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { setPublishRequirement } from '../projects/draft-settings.js';
import type { ProjectTables } from '../projects/project-tables.js';
import { PublishCheckRequirement } from '../projects/publish-check-requirement.js';
import type { Publication } from '../workflows/revisions/publish-conditions.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import { RehearsalKind, RehearsalState, RehearsalVerdict } from './rehearsal.js';
import type { RehearsalTables } from './rehearsal-tables.js';

interface Tables extends RehearsalTables, ProjectTables, WorkflowTables {}

/** The verdicts that satisfy each requirement. */
const ACCEPTED_VERDICTS: Record<
  Exclude<PublishCheckRequirement, PublishCheckRequirement.NONE>,
  readonly RehearsalVerdict[]
> = {
  [PublishCheckRequirement.NO_FAILURES]: [RehearsalVerdict.UNCHANGED, RehearsalVerdict.CHANGED],
  [PublishCheckRequirement.NO_CHANGES]: [RehearsalVerdict.UNCHANGED],
};

/** The check that projects may require before a revision is published. */
export class PublishGate {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  async setRequirement(viewer: Viewer, projectId: number, requirement: PublishCheckRequirement): Promise<void> {
    await this.access.authorize(viewer, projectId, 'project.update');
    await this.database.transaction(async sql => {
      if (!(await setPublishRequirement(sql, projectId, requirement))) return;
      const object = { type: 'project', id: projectId };
      const detail = { requirement };
      await recordAuditEvent(sql, viewer, { action: 'project.set-publish-check', object, projectId, detail });
    });
  }

  /**
   * Checks a publication in its transaction. A revision that was published before may be published again, so that a
   * rollback needs no check.
   * @throws ConflictError when the project requires a check that the revision has not passed
   */
  assertPassed = async (sql: Sql, { projectId, workflowId, revisionId, number }: Publication): Promise<void> => {
    const requirement = await requirementOf(sql, projectId);
    if (requirement === PublishCheckRequirement.NONE) return;
    if (await wasPublished(sql, workflowId, revisionId)) return;
    const check = await queryBuilder<Tables>(sql)
      .selectFrom('rehearsal')
      .select('verdict')
      .where('workflow_id', '=', workflowId)
      .where('revision_id', '=', revisionId)
      .where('kind', '=', RehearsalKind.PUBLISH_CHECK)
      .where('state', '=', RehearsalState.SUCCEEDED)
      .orderBy('finished_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (check?.verdict && ACCEPTED_VERDICTS[requirement].includes(check.verdict)) return;
    const result = check?.verdict ? `the last one has the verdict ${check.verdict.toUpperCase()}` : 'it has none';
    throw new ConflictError(
      `The project requires a publish check of revision ${number} with the verdict ${ACCEPTED_VERDICTS[requirement].join(' or ').toUpperCase()}, and ${result}. Start one with workflowPublishCheck.`,
    );
  };
}

async function requirementOf(sql: Sql, projectId: number): Promise<PublishCheckRequirement> {
  const project = await queryBuilder<ProjectTables>(sql)
    .selectFrom('project')
    .select('publish_requirement as requirement')
    .where('id', '=', projectId)
    .executeTakeFirst();
  return project?.requirement ?? PublishCheckRequirement.NONE;
}

async function wasPublished(sql: Sql, workflowId: number, revisionId: number): Promise<boolean> {
  const publication = await queryBuilder<WorkflowTables>(sql)
    .selectFrom('workflow_publication')
    .select('id')
    .where('workflow_id', '=', workflowId)
    .where('revision_id', '=', revisionId)
    .limit(1)
    .executeTakeFirst();
  return publication !== undefined;
}

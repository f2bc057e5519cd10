import { canonicalJson, isObject } from '../../../engine/json-value.js';
import { maskSecrets } from '../../../engine/secrets.js';
import { inputFieldFaults } from '../../../engine/workflow/graph/input-field-faults.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Database } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError } from '../../../platform/errors/errors.js';
import { isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import type { ProjectAccess } from '../../projects/access.js';
import { ensureOwnProject } from '../../projects/own-project.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import type { RunTables } from '../run-tables.js';
import type { RunAdmission } from './run-admission.js';
import type { RunPreparer } from './run-preparer.js';

/** A graph to run without a stored workflow. */
export interface SubmittedGraph {
  /** The id of the run. */
  id: string;
  data: unknown;
  input?: unknown;
  /** Default: the oldest project that the viewer owns. Without one, a project is created. */
  project?: number | null;
  /** Name of an environment of the project. Default: the default one. */
  environment?: string | undefined;
}

/** Runs graphs without a stored workflow. Only the run and its revision are stored. */
export class GraphRunService {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly preparer: RunPreparer,
    private readonly admission: RunAdmission,
    private readonly budget: Budget,
  ) {}

  /**
   * Accepts or refuses a run. A repeated request with the same id returns the first receipt. A different request
   * with this id throws ConflictError.
   */
  async start(
    viewer: Viewer,
    { id: requestedId, data, input, project, environment }: SubmittedGraph,
  ): Promise<WorkflowRunReceipt> {
    if (project != null) await this.access.authorizeNamed(viewer, project, 'workflow.run');
    assertValidData(data);
    const projectId = project ?? (await ensureOwnProject(this.database, viewer));
    const id = requestedId.toLowerCase();
    const digest = this.vault.digest(
      canonicalJson({ projectId, data, input, ...(environment === undefined ? {} : { environment }) }),
    );
    const earlier = await this.#findReceipt(id, digest);
    if (earlier) return earlier;
    const graph = await this.revisions.compileUnstored({ projectId, userId: viewer.userId, ...maskSecrets(data) });
    const accepted = await this.preparer.prepare(graph.revision, { input, environment });
    const use = accepted.status === 201 ? await this.budget.findReachedLimit(projectId) : null;
    const prepared = use ? this.preparer.refuseOverBudget(accepted, use) : accepted;
    const receipt = await this.admission.admit(
      {
        id,
        projectId,
        workflowId: null,
        revisionId: graph.revision.id,
        userId: viewer.userId,
        state: 'queued',
        graph: {
          data: graph.revision.data,
          sealedSecrets: graph.sealedSecrets,
          digest: digest.toString('hex'),
          marketTermsId: graph.revision.marketTermsId,
        },
      },
      prepared,
    );
    return receipt ?? (await this.#findReceipt(id, digest)) ?? throwConflict();
  }

  /** Returns the receipt of an earlier identical request. Returns undefined when the id is new. */
  async #findReceipt(id: string, digest: Buffer): Promise<WorkflowRunReceipt | undefined> {
    const row = await queryBuilder<RunTables>(this.database)
      .selectFrom('workflow_run')
      .select('graph_digest as digest')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    // The digest includes the project, so the response never reveals runs of other projects.
    return row.digest?.equals(digest) ? this.admission.receiptOf(id) : throwConflict();
  }
}

function throwConflict(): never {
  throw new ConflictError('A run with this id exists already.');
}

function assertValidData(data: unknown): asserts data is Record<string, unknown> {
  if (!isObject(data)) throw new InvalidInputError({ data: ['Must be an object with `nodes` and `edges`.'] });
  if (isUnstorableJson(data))
    throw new InvalidInputError({
      data: [
        `Must be nested at most ${MAX_JSON_DEPTH} levels deep, without null characters, lone surrogates or infinite numbers.`,
      ],
    });
  const faults = inputFieldFaults(data);
  if (faults.length > 0) throw new InvalidInputError({ data: faults });
}

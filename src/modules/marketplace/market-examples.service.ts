import { MASK, valueMasker } from '../../engine/secrets.js';
import { withoutCredentials } from '../../engine/workflow/graph/secrets/credentials.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { type Expression, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Currencies } from '../../platform/money/money.js';
import type { AccountTables } from '../accounts/account-tables.js';
import { runCost } from '../billing/run-cost.type.js';
import type { ProjectTables } from '../projects/project-tables.js';
import { type ResultRow, resultBytes, resultColumns, resultOfRow } from '../workflow-runs/journal/run-results.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import type { MarketplaceExample } from './market-example.type.js';

/** The maximum number of examples in a list. Older examples are read by their ids. */
const MAX_LISTED = 50;
/** The maximum length of a result in a list. A longer one is null there, and the example counts as shortened. */
const MAX_LISTED_BYTES = 256 * 1024;

interface Row extends ResultRow {
  id: string;
  createdAt: Date;
  costUsd: string;
  commissionUsd: string;
  revisionId: number;
  input: unknown;
}

interface PublishedWorkflow {
  id: number;
  /** The email addresses of the members of the project. */
  emails: string[];
}

/**
 * Reads the runs that authors publish as examples. Secret inputs and results are masked when they are stored.
 * Credentials in the graph and the email addresses of project members are masked here.
 */
export class MarketExamplesService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly currencies: Currencies,
    private readonly pageBytes: PageBytes,
  ) {}

  /** Lists the ended examples of a published workflow, newest first. */
  async list(context: object, slug: string): Promise<MarketplaceExample[]> {
    const workflow = await this.#find(slug);
    const sizes = await readSizes(this.database, workflow.id);
    const fits = await Promise.all(sizes.map(size => this.pageBytes.fits(context, 'workflow-run', size, size)));
    const wholeIds = new Set(sizes.filter((_, index) => fits[index]).map(({ id }) => id));
    const withoutResult = new Set(sizes.filter(({ isResultListed }) => !isResultListed).map(({ id }) => id));
    for (const id of withoutResult) this.pageBytes.markShortened(context, id);
    const ids = sizes.map(({ id }) => id);
    const rows = await readListed(this.database, workflow.id, { ids, wholeIds: [...wholeIds] });
    const examples = await this.#toExamples(workflow, rows, wholeIds);
    return examples.map(example => (withoutResult.has(example.id) ? { ...example, isShortened: true } : example));
  }

  async get(slug: string, runId: string): Promise<MarketplaceExample> {
    const workflow = await this.#find(slug);
    const everything = expression<boolean>`true`;
    const rows = await selectExamples(this.database, workflow.id, { hasPayloads: everything, hasResult: everything })
      .where('r.id', '=', runId)
      .execute();
    const [example] = await this.#toExamples(workflow, rows);
    if (!example) throw new NotFoundError();
    return example;
  }

  async #find(slug: string): Promise<PublishedWorkflow> {
    const workflow = hasUnstorableText(slug) ? undefined : await findPublished(this.database, slug);
    if (!workflow) throw new NotFoundError();
    return workflow;
  }

  /** `wholeIds` contains the ids of the rows to return with payloads. Absent: all rows. */
  async #toExamples(
    { emails }: PublishedWorkflow,
    rows: Row[],
    wholeIds?: ReadonlySet<string>,
  ): Promise<MarketplaceExample[]> {
    const revisions = await this.revisions.read([
      ...new Set(rows.filter(({ id }) => wholeIds?.has(id) ?? true).map(row => row.revisionId)),
    ]);
    const views = new Map(
      revisions.flatMap(revision => {
        if (!revision) return [];
        const { data, credentials } = withoutCredentials(revision.data, MASK, MASK);
        const mask = valueMasker([...credentials, ...emails]);
        return [[revision.id, { data: mask(data), mask }] as const];
      }),
    );
    return rows.map(({ id, createdAt, costUsd, commissionUsd, revisionId, input, ...row }) => {
      const cost = runCost(this.currencies, costUsd, commissionUsd);
      const isShortened = !(wholeIds?.has(id) ?? true);
      if (isShortened) return { id, createdAt, cost, isShortened, data: {}, inputData: {}, result: null };
      const { data, mask } = views.get(revisionId)!;
      return { id, createdAt, cost, isShortened, data, inputData: mask(input), result: mask(resultOfRow(row)) };
    });
  }
}

interface Tables extends WorkflowTables, RunTables, ProjectTables, AccountTables {}

async function findPublished(sql: Sql, slug: string): Promise<PublishedWorkflow | undefined> {
  const workflow = await queryBuilder<Tables>(sql)
    .selectFrom('workflow')
    .select(['id', 'project_id as projectId'])
    .where('slug', '=', slug)
    .where('is_published', '=', true)
    .executeTakeFirst();
  if (!workflow) return undefined;
  const members = await queryBuilder<Tables>(sql)
    .selectFrom('project_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select('u.email')
    .where('m.project_id', '=', workflow.projectId)
    .execute();
  return { id: workflow.id, emails: members.map(({ email }) => email) };
}

/** Selects the ended example runs `r` of a workflow with their payloads `p`. */
function selectEndedExamples(sql: Sql, workflowId: number) {
  return queryBuilder<Tables>(sql)
    .selectFrom('workflow_run as r')
    .innerJoin('workflow_run_payload as p', join =>
      join.onRef('p.run_id', '=', 'r.id').onRef('p.run_created_at', '=', 'r.created_at'),
    )
    .where('r.workflow_id', '=', workflowId)
    .where('r.use_in_marketplace_example', '=', expression.lit(true))
    .where('r.run_finished_at', 'is not', null);
}

/**
 * Returns the condition that a list includes the result. The check of the compressed size first avoids the
 * decompression of long results.
 */
function isResultListed() {
  return expression<boolean | null>`case when coalesce(pg_column_size(p.result), 0) <= ${MAX_LISTED_BYTES}::int
    then ${resultBytes('p')} <= ${MAX_LISTED_BYTES}::int end`;
}

function readSizes(
  sql: Sql,
  workflowId: number,
): Promise<{ id: string; bytes: number; isResultListed: boolean | null }[]> {
  return selectEndedExamples(sql, workflowId)
    .innerJoin('workflow_revision as v', 'v.id', 'r.revision_id')
    .select(['r.id', isResultListed().as('isResultListed')])
    .select(
      expression<number>`octet_length(p.input::text) + octet_length(v.data::text)
        + case when ${isResultListed()} then ${resultBytes('p')} else 0 end`.as('bytes'),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** `wholeIds` contains the ids of the runs to read with payloads. */
function readListed(
  sql: Sql,
  workflowId: number,
  { ids, wholeIds }: { ids: readonly string[]; wholeIds: readonly string[] },
): Promise<Row[]> {
  const hasPayloads = expression<boolean>`r.id = any(${wholeIds}::uuid[])`;
  return selectExamples(sql, workflowId, { hasPayloads, hasResult: isResultListed() })
    .where('r.id', '=', ({ fn }) => fn.any(expression<string[]>`${ids}::uuid[]`))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute();
}

/** SQL conditions on an example run `r` with its payloads `p`. */
interface PayloadConditions {
  /** Whether the run is read with its payloads. */
  hasPayloads: Expression<boolean>;
  /** Whether the payloads include the result. Null counts as false. */
  hasResult: Expression<boolean | null>;
}

/** Selects the ended example runs of a workflow. Payloads that the conditions exclude are null. */
function selectExamples(sql: Sql, workflowId: number, { hasPayloads, hasResult }: PayloadConditions) {
  return selectEndedExamples(sql, workflowId)
    .select(['r.id', 'r.created_at as createdAt', 'r.cost_usd as costUsd', 'r.commission_usd as commissionUsd'])
    .select('r.revision_id as revisionId')
    .select(expression<unknown>`case when ${hasPayloads} then p.input end`.as('input'))
    .select(resultColumns('p', expression<boolean>`${hasPayloads} and ${hasResult}`));
}

import { MASK, valueMasker } from '../../engine/secrets.js';
import { withoutCredentials } from '../../engine/workflow/graph/credentials.js';
import type { Database } from '../../platform/database/database.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import { hasUnstorableText } from '../../platform/errors/fields.js';
import type { PageBytes } from '../../platform/lists/page-bytes.js';
import type { Currencies } from '../../platform/money/money.js';
import { runCost } from '../billing/run-cost.type.js';
import { type ResultRow, resultBytesSql, resultOfRow, resultSql } from '../workflow-runs/journal/run-results.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import type { MarketplaceExample } from './market-example.type.js';

/** Examples in one list; older ones are read by their ids. */
const MOST_LISTED = 50;
const MOST_LISTED_BYTES = 256 * 1024;

interface Row extends ResultRow {
  id: string;
  createdAt: Date;
  costUsd: string;
  commissionUsd: string;
  revisionId: number;
  input: unknown;
}

interface Published {
  id: number;
  /** Addresses of the members of its project. */
  emails: string[];
}

const FIND = `
  select w.id, (select coalesce(array_agg(u.email), '{}') from project_member m join app_user u on u.id = m.user_id
                 where m.project_id = w.project_id) as emails
    from workflow w where w.slug = $1 and w.is_published`;

/** A list leaves out a long result, which is unpacked only where it may be short enough. */
const IS_LISTED = `case when pg_column_size(p.result) <= ${MOST_LISTED_BYTES} then ${resultBytesSql('p')} <= ${MOST_LISTED_BYTES} end`;
const read = (isShown: string, isWhole: string) => `
  select r.id, r.created_at as "createdAt", r.cost_usd as "costUsd", r.commission_usd as "commissionUsd",
         r.revision_id as "revisionId", case when ${isShown} then p.input end as input, ${resultSql('p', `${isShown} and ${isWhole}`)}
    from workflow_run r
    join workflow_run_payload p on p.run_id = r.id and p.run_created_at = r.created_at
   where r.workflow_id = $1 and r.use_in_marketplace_example and r.run_finished_at is not null`;

const SIZES = `
  select r.id, octet_length(p.input::text) + case when ${IS_LISTED} then ${resultBytesSql('p')} else 0 end
         + (select octet_length(v.data::text) from workflow_revision v where v.id = r.revision_id) as bytes
    from workflow_run r
    join workflow_run_payload p on p.run_id = r.id and p.run_created_at = r.created_at
   where r.workflow_id = $1 and r.use_in_marketplace_example and r.run_finished_at is not null
   order by r.created_at desc, r.id desc limit ${MOST_LISTED}`;
const LIST = `${read('r.id = any($2::uuid[])', IS_LISTED)}
   and r.id = any($3::uuid[]) order by r.created_at desc, r.id desc`;
const ONE = `${read('true', 'true')} and r.id = $2`;

/** Runs that authors show to everybody. What is secret in them was masked when it was written; what was written into the
 * graph itself, and the addresses of those who work on it, are masked on the way out. */
export class MarketExamplesService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly currencies: Currencies,
    private readonly pageBytes: PageBytes,
  ) {}

  /** Those of a published workflow that have ended, newest first. */
  async list(context: object, slug: string): Promise<MarketplaceExample[]> {
    const workflow = await this.#find(slug);
    const sizes = await this.database.query<{ id: string; bytes: number }>(SIZES, [workflow.id]);
    const fits = await Promise.all(sizes.map(size => this.pageBytes.fits(context, 'workflow-run', size)));
    const whole = new Set(sizes.filter((_, index) => fits[index]).map(({ id }) => id));
    const rows = await this.database.query<Row>(LIST, [workflow.id, [...whole], sizes.map(({ id }) => id)]);
    return this.#shown(workflow, rows, whole);
  }

  async get(slug: string, runId: string): Promise<MarketplaceExample> {
    const workflow = await this.#find(slug);
    const [example] = await this.#shown(workflow, await this.database.query<Row>(ONE, [workflow.id, runId]));
    if (!example) throw new NotFoundError();
    return example;
  }

  async #find(slug: string): Promise<Published> {
    const [workflow] = hasUnstorableText(slug) ? [] : await this.database.query<Published>(FIND, [slug]);
    if (!workflow) throw new NotFoundError();
    return workflow;
  }

  /** `whole`: those that are shown with their payloads; absent: all. */
  async #shown({ emails }: Published, rows: Row[], whole?: ReadonlySet<string>): Promise<MarketplaceExample[]> {
    const revisions = await this.revisions.read([
      ...new Set(rows.filter(({ id }) => whole?.has(id) ?? true).map(row => row.revisionId)),
    ]);
    const shown = new Map(
      revisions.flatMap(revision => {
        if (!revision) return [];
        const { data, credentials } = withoutCredentials(revision.data, MASK, MASK);
        const mask = valueMasker([...credentials, ...emails]);
        return [[revision.id, { data: mask(data), mask }] as const];
      }),
    );
    return rows.map(({ id, createdAt, costUsd, commissionUsd, revisionId, input, ...row }) => {
      const cost = runCost(this.currencies, costUsd, commissionUsd);
      const isShortened = !(whole?.has(id) ?? true);
      if (isShortened) return { id, createdAt, cost, isShortened, data: {}, inputData: {}, result: null };
      const { data, mask } = shown.get(revisionId)!;
      return { id, createdAt, cost, isShortened, data, inputData: mask(input), result: mask(resultOfRow(row)) };
    });
  }
}

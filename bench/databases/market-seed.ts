import pg from 'pg';
import { measureMs } from '../load/measurements.js';
import { runIdSql } from './databases.js';

export interface MarketSize {
  /** Published workflows. */
  workflows: number;
  /** Number of runs of all workflows. Half of them belong to the first workflow. */
  runs: number;
}

/** API key of a user who is a member of the first project only, which has `PROJECT_SIZE` workflows at any size of the marketplace. */
export const PERSON_KEY = 'sk-bench-person-0123456789abcdef';
/** A word in the market titles of `RARE` workflows, at any size. */
export const RARE_WORD = 'needle';
/** A word in every title. */
export const COMMON_WORD = 'workflow';
const PROJECT_SIZE = 100;
const RARE = 10;
const CATEGORIES = 20;
/** One in this many runs failed. All failed runs belong to the first workflow. */
const FAILING = 50;
/** A prime that scatters times and costs, so that their order differs from that of the ids. */
const SCATTER = 7919;

const seedSql = ({ workflows, runs }: MarketSize): string[] => [
  `insert into app_user (email, name, is_api_allowed) values ('person@example.com', 'Person', true)`,
  `insert into api_key (user_id, name, prefix, hash)
   select id, 'bench', 'sk-ben', sha256('${PERSON_KEY}') from app_user where email = 'person@example.com'`,
  `insert into category (name) select 'Bench ' || n from generate_series(1, ${CATEGORIES}) n`,
  `insert into project (id, name) select n, 'Project ' || n from generate_series(1, ${Math.ceil(workflows / PROJECT_SIZE)}) n`,
  `insert into project_member (project_id, user_id, role)
   select 1, id, 'owner' from app_user where email = 'person@example.com'`,
  // Workflows and revisions refer to each other. Foreign keys are checked at the end of the statement, when both
  // exist.
  `with made as (
   insert into workflow (id, project_id, revision_id, created_by_id, title, sort_id, market_title, short_description,
                         readme_guide, available_languages, category_id, slug, is_published, published_at, created_at)
   select n, (n - 1) / ${PROJECT_SIZE} + 1, n, (select id from app_user where email = 'person@example.com'),
          'Title of ${COMMON_WORD} ' || n, n,
          case when n % (${workflows} / ${RARE}) = 0 then 'A ${RARE_WORD} among ' else 'A ' end
            || '${COMMON_WORD} about ' || md5(n::text),
          'What it does, in a sentence or two.', repeat('How to use it. ', 40), '{en}',
          (select min(id) from category where name like 'Bench %') + n % ${CATEGORIES}, 'slug-' || n, true,
          now() - n * interval '1 second', now() - (n * ${SCATTER} % ${workflows}) * interval '1 second'
     from generate_series(1, ${workflows}) n
   returning id, project_id, created_at)
   insert into workflow_revision (id, project_id, workflow_id, number, data, created_at)
   select id, project_id, id, 1, '{"nodes":[],"edges":[],"viewport":{"x":0,"y":0,"zoom":1}}', created_at from made`,
  `insert into workflow_run (id, project_id, workflow_id, revision_id, state, sequence, cost_usd, created_at, updated_at,
                             run_started_at, run_finished_at)
   select ${runIdSql('n')}, (w - 1) / ${PROJECT_SIZE} + 1, w, w,
          case when n % ${FAILING} = 0 then 'failed' else 'succeeded' end, 5, n::bigint * ${SCATTER} % 1000 / 100000.0, at, at, at,
          at + interval '2 seconds'
     from (select n, case when n % 2 = 0 then 1 else n / 2 % ${workflows} + 1 end as w,
                  now() - (${runs} - n) * interval '1 second' as at
             from generate_series(1, ${runs}) n) made`,
  `insert into workflow_figures as f (workflow_id, is_published, runs_count, duration_ms, total_cost_usd, last_run_id,
                                      last_run_at, market_runs_count, market_cost_usd, market_last_run_at)
   select workflow_id, true, count(*), count(*) * 2000, sum(cost_usd), (array_agg(id order by created_at desc))[1],
          max(run_finished_at), count(*), sum(cost_usd), max(run_finished_at)
     from workflow_run group by workflow_id
   on conflict (workflow_id) do update
      set runs_count = excluded.runs_count, duration_ms = excluded.duration_ms,
          total_cost_usd = excluded.total_cost_usd, last_run_id = excluded.last_run_id,
          last_run_at = excluded.last_run_at, market_runs_count = excluded.market_runs_count,
          market_cost_usd = excluded.market_cost_usd, market_last_run_at = excluded.market_last_run_at`,
  'vacuum analyze',
];

/** Fills a migrated database. Returns the duration in seconds. */
export async function seedMarket(url: string, size: MarketSize): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const ms = await measureMs(async () => {
      for (const text of seedSql(size)) await client.query(text);
    });
    return ms / 1000;
  } finally {
    await client.end();
  }
}

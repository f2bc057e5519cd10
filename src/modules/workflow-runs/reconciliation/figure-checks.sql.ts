import { durationMsSql } from '../../workflows/run-writes.sql.js';

/** A figure that is maintained incrementally, and the aggregate that it must equal. */
interface Figure {
  column: string;
  /** SQL aggregate over the counted runs `r`. */
  counted: string;
  /** Column with the contribution of runs that were deleted with their projects. */
  gone?: string;
}

const ENDED = 'r.run_started_at is not null and r.run_finished_at is not null';
const milliseconds = (moment: string) => `coalesce(round(extract(epoch from ${moment}) * 1000), 0)`;

const OWN: Figure[] = [
  { column: 'runs_count', counted: 'count(*)' },
  { column: 'duration_ms', counted: `coalesce(sum(${durationMsSql('r')}), 0)` },
  { column: 'total_cost_usd', counted: 'coalesce(sum(r.cost_usd), 0)' },
];
const MARKET: Figure[] = [
  { column: 'market_runs_count', counted: 'count(*)', gone: 'gone_runs_count' },
  { column: 'market_cost_usd', counted: 'coalesce(sum(r.cost_usd), 0)', gone: 'gone_cost_usd' },
];

/** Runs by the workflow to whose figures they contribute. */
const OWN_RUNS = `(select r.workflow_id as figure_id, r.* from workflow_run r where r.workflow_id is not null and ${ENDED})`;
const MARKET_RUNS = `(
  select r.workflow_id as figure_id, r.* from workflow_run r where r.workflow_id is not null and ${ENDED}
  union all
  select r.market_workflow_id, r.* from workflow_run r where r.market_workflow_id is not null and r.workflow_id is not null and ${ENDED})`;

function check({ column, counted, gone }: Figure, runs: string) {
  const rest = gone ? ` + coalesce(f.${gone}, 0)` : '';
  return {
    subject: (id: string) => `${column} of workflow ${id}`,
    find: `
      select w.id, coalesce(f.${column}, 0) as "is", coalesce(s.counted, 0)${rest} as should_be
        from workflow w
        left join workflow_figures f on f.workflow_id = w.id
        left join (select r.figure_id, ${counted} as counted from ${runs} r group by r.figure_id) s on s.figure_id = w.id
       where coalesce(f.${column}, 0) <> coalesce(s.counted, 0)${rest} order by w.id`,
    fix: {
      lock: LOCK,
      write: `
        update workflow_figures f
           set ${column} = (select ${counted} from ${runs} r where r.figure_id = f.workflow_id)${rest}
         where f.workflow_id::text = any($1)`,
    },
  };
}

/** Creates missing rows and locks all of them, so that all writers wait. */
const LOCK = `
  with made as (
    insert into workflow_figures (workflow_id) select id from workflow where id::text = any($1) on conflict do nothing)
  select workflow_id from workflow_figures where workflow_id::text = any($1) order by workflow_id for no key update`;

const LAST_RUN = `
  select r.id, r.run_finished_at from workflow_run r
   where r.workflow_id = f.workflow_id and ${ENDED} order by r.run_finished_at desc, r.id desc limit 1`;

/** Checks the figures of workflows, the fees of runs and the earnings of authors. */
export const FIGURE_CHECKS = [
  ...OWN.map(figure => check(figure, OWN_RUNS)),
  ...MARKET.map(figure => check(figure, MARKET_RUNS)),
  {
    subject: (id: string) => `last_run_at of workflow ${id}`,
    find: `
      select f.workflow_id as id, ${milliseconds('f.last_run_at')} as "is", ${milliseconds('l.run_finished_at')} as should_be
        from workflow_figures f left join lateral (${LAST_RUN}) l on true
       where f.last_run_id is distinct from l.id or f.last_run_at is distinct from l.run_finished_at order by f.workflow_id`,
    fix: {
      lock: LOCK,
      write: `
        update workflow_figures f set (last_run_id, last_run_at) = (${LAST_RUN}) where f.workflow_id::text = any($1)`,
    },
  },
  {
    subject: (id: string) => `market_users_count of workflow ${id}`,
    find: `
      select w.id, coalesce(f.market_users_count, 0) as "is", coalesce(u.users, 0) as should_be
        from workflow w
        left join workflow_figures f on f.workflow_id = w.id
        left join (select workflow_id, count(copied_at) as users from marketplace_use group by workflow_id) u on u.workflow_id = w.id
       where coalesce(f.market_users_count, 0) <> coalesce(u.users, 0) order by w.id`,
    fix: {
      lock: LOCK,
      write: `
        update workflow_figures f
           set market_users_count = (select count(copied_at) from marketplace_use u where u.workflow_id = f.workflow_id)
         where f.workflow_id::text = any($1)`,
    },
  },
  {
    subject: (id: string) => `commission_usd of run ${id}`,
    find: `
      select r.id, r.commission_usd as "is", coalesce(b.amount, 0) as should_be
        from workflow_run r
        left join (select run_id, sum(amount_usd) as amount from billing_transaction where operation = 'commission' group by run_id) b
          on b.run_id = r.id
       where r.commission_usd <> coalesce(b.amount, 0) order by r.id`,
    fix: {
      lock: 'select id from workflow_run where id::text = any($1) order by id for no key update',
      write: `
        update workflow_run r
           set commission_usd = (select coalesce(sum(amount_usd), 0) from billing_transaction b
                                  where b.run_id = r.id and b.operation = 'commission')
         where r.id::text = any($1)`,
    },
  },
  {
    // A deleted project of the author takes its credit with it. An existing credit must match its ledger row,
    // unless the run is deleted.
    subject: (id: string) => `credit of run ${id}`,
    find: `
      select c.run_id as id, c.amount_usd as "is", coalesce(b.amount_usd, 0) as should_be
        from billing_credit c
        join workflow_run r on r.id = c.run_id
        left join billing_transaction b on b.run_id = c.run_id and b.operation = 'commission'
       where c.amount_usd <> coalesce(b.amount_usd, 0) order by c.run_id`,
  },
  {
    subject: (id: string) => `total_earned_usd of project ${id}`,
    find: `
      select p.id, p.total_earned_usd as "is", coalesce(c.amount, 0) as should_be
        from project p
        left join (select project_id, sum(amount_usd) as amount from billing_credit group by project_id) c on c.project_id = p.id
       where p.total_earned_usd <> coalesce(c.amount, 0) order by p.id`,
    fix: {
      lock: 'select id from project where id::text = any($1) order by id for no key update',
      write: `
        update project p
           set total_earned_usd = (select coalesce(sum(amount_usd), 0) from billing_credit c where c.project_id = p.id)
         where p.id::text = any($1)`,
    },
  },
];

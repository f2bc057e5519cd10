import { costSql } from '../history/workflow-run.js';
import type { Check } from './check.sql.js';

const SPENT = '(select coalesce(sum(b.amount_usd), 0) from billing_transaction b where b.project_id = p.id)';
const RESERVED = '(select coalesce(sum(b.amount_usd), 0) from budget_reservation b where b.project_id = p.id)';
const COST = '(select coalesce(sum(b.amount_usd), 0) from billing_transaction b where b.run_id = r.id)';
/** The tables whose files count against the storage of a project: those with the trigger `project_storage_grows`. */
const FILE_TABLES = ['document', 'scenario_run_file', 'project_file'];
/** Bytes of the stored files of a project. */
const STORED = `(${FILE_TABLES.map(
  table => `(select coalesce(sum(f.size), 0) from ${table} f where f.project_id = p.id)`,
).join(' + ')})`;
const LOCK_PROJECTS = 'select id from project where id::text = any($1) order by id for no key update';

/** Checks the cost of runs that the ledger identifies by their `billing_id`. */
function costCheck(table: string, noun: string): Check {
  return {
    subject: id => `cost_usd of ${noun} ${id}`,
    find: `
      select r.id, r.cost_usd as "is", coalesce(b.amount, 0) as should_be
        from ${table} r
        left join (select run_id, sum(amount_usd) as amount from billing_transaction group by run_id) b on b.run_id = r.billing_id
       where r.cost_usd <> coalesce(b.amount, 0) order by r.id`,
    fix: {
      lock: `select id from ${table} where id::text = any($1) order by id for no key update`,
      write: `
        update ${table} r
           set cost_usd = (select coalesce(sum(amount_usd), 0) from billing_transaction b where b.run_id = r.billing_id)
         where r.id::text = any($1)`,
    },
  };
}

/** Checks totals, costs and rows against the ledger and the files of a project. */
export const LEDGER_CHECKS: Check[] = [
  {
    subject: id => `total_spent_usd of project ${id}`,
    find: `
      select p.id, p.total_spent_usd as "is", coalesce(b.amount, 0) as should_be
        from project p
        left join (select project_id, sum(amount_usd) as amount from billing_transaction group by project_id) b on b.project_id = p.id
       where p.total_spent_usd <> coalesce(b.amount, 0) order by p.id`,
    fix: { lock: LOCK_PROJECTS, write: `update project p set total_spent_usd = ${SPENT} where p.id::text = any($1)` },
  },
  {
    subject: id => `reserved_usd of project ${id}`,
    find: `
      select p.id, p.reserved_usd as "is", coalesce(b.amount, 0) as should_be
        from project p
        left join (select project_id, sum(amount_usd) as amount from budget_reservation group by project_id) b on b.project_id = p.id
       where p.reserved_usd <> coalesce(b.amount, 0) order by p.id`,
    fix: { lock: LOCK_PROJECTS, write: `update project p set reserved_usd = ${RESERVED} where p.id::text = any($1)` },
  },
  {
    subject: id => `cost_usd of run ${id}`,
    find: `
      select r.id, ${costSql('r')} as "is", coalesce(b.amount, 0) as should_be
        from workflow_run r
        left join (select run_id, sum(amount_usd) as amount from billing_transaction group by run_id) b on b.run_id = r.id
       where ${costSql('r')} <> coalesce(b.amount, 0) order by r.id`,
    fix: {
      lock: 'select id from workflow_run where id::text = any($1) order by id for no key update',
      write: `update workflow_run r set cost_usd = ${COST}, running_cost_usd = null where r.id::text = any($1)`,
    },
  },
  costCheck('scenario_run', 'scenario run'),
  costCheck('keyword_run', 'keyword run'),
  {
    // PostgreSQL does not check these references, see `ownersSql`.
    subject: id => `ledger rows of the deleted ${id}`,
    find: `
      select 'project ' || b.project_id as id, count(*) as "is", 0 as should_be from billing_transaction b
       where b.project_id is not null and not exists (select 1 from project p where p.id = b.project_id) group by b.project_id
       union all
      select 'user ' || b.user_id, count(*), 0 from billing_transaction b
       where b.user_id is not null and not exists (select 1 from app_user u where u.id = b.user_id) group by b.user_id
       order by 1`,
  },
  {
    // The commission of a run is the only row without a node.
    subject: id => `ledger rows of node ${id}`,
    find: `
      select node_id || ' in run ' || run_id || case when iteration = '' then '' else ', iteration ' || iteration end as id,
             count(*) as "is", 1 as should_be
        from billing_transaction where operation <> 'commission'
       group by run_id, node_id, iteration having count(*) > 1 order by run_id, node_id`,
  },
  {
    // Refused and forked runs also contain entries of nodes that were never executed.
    subject: id => `ledger rows of node ${id}`,
    find: `
      select e.node || ' in run ' || r.id as id, 0 as "is", 1 as should_be
        from workflow_run r
        join workflow_run_payload y on y.run_id = r.id and y.run_created_at = r.created_at
       cross join lateral (
         select node from json_each(case when json_typeof(y.result -> 'data') = 'object' then y.result -> 'data' end) as e(node, entry)
          where e.entry -> 'reused' is null
         union
         select v.event ->> 'node' from workflow_run_journal j cross join lateral json_array_elements(j.events) as v(event)
          where y.result -> 'data' is null and j.run_id = r.id and j.run_created_at = r.created_at
            and coalesce(v.event ->> 'type', 'node.succeeded') in ('node.succeeded', 'node.failed')
            and v.event -> 'iteration' is null and v.event -> 'reused' is null) as e
       where r.run_started_at is not null and r.run_finished_at is not null and not exists (
         select 1 from billing_transaction b where b.run_id = r.id and b.node_id = e.node)
       order by r.id, e.node`,
  },
  {
    subject: id => `used_bytes of project ${id}`,
    find: `
      select p.id, coalesce(s.used_bytes, 0) as "is", ${STORED} as should_be
        from project p left join project_storage s on s.project_id = p.id
       where coalesce(s.used_bytes, 0) <> ${STORED} order by p.id`,
    fix: {
      lock: 'select project_id from project_storage where project_id::text = any($1) order by project_id for no key update',
      write: `
        insert into project_storage as s (project_id, used_bytes)
        select p.id, ${STORED} from project p where p.id::text = any($1)
        on conflict (project_id) do update set used_bytes = excluded.used_bytes`,
    },
  },
];

/** SQL expression for the duration of a finished run in milliseconds. `run` is the alias of its row. */
export function durationMsSql(run: string): string {
  return `greatest(round(extract(epoch from ${run}.run_finished_at - ${run}.run_started_at) * 1000), 0)`;
}

/**
 * CTEs that add the finished runs of the relation `runs` to the statistics of their workflow and of the marketplace workflow
 * that it copies. Runs that never started are not counted. Rows are locked in the order of workflow ids.
 */
export function addFiguresSql(runs: string): string {
  return `
  figure_shares as (
    select s.workflow_id, s.is_own, h.id, h.cost_usd, h.run_finished_at, ${durationMsSql('h')} as ms
      from ${runs} h cross join lateral (values (h.workflow_id, true), (h.market_workflow_id, false)) s(workflow_id, is_own)
     where h.end_state is not null and h.run_started_at is not null and h.workflow_id is not null
       and s.workflow_id is not null),
  figures as (
    insert into workflow_figures as f
      (workflow_id, runs_count, duration_ms, total_cost_usd, last_run_id, last_run_at,
       market_runs_count, market_cost_usd, market_last_run_at)
    select workflow_id, count(*) filter (where is_own), coalesce(sum(ms) filter (where is_own), 0),
           coalesce(sum(cost_usd) filter (where is_own), 0),
           (array_agg(id order by run_finished_at desc, id desc) filter (where is_own))[1],
           max(run_finished_at) filter (where is_own), count(*), sum(cost_usd), max(run_finished_at)
      from figure_shares group by workflow_id order by workflow_id
    on conflict (workflow_id) do update
       set runs_count = f.runs_count + excluded.runs_count,
           duration_ms = f.duration_ms + excluded.duration_ms,
           total_cost_usd = f.total_cost_usd + excluded.total_cost_usd,
           last_run_id = case when f.last_run_at is null or (excluded.last_run_at, excluded.last_run_id) > (f.last_run_at, f.last_run_id)
                              then coalesce(excluded.last_run_id, f.last_run_id) else f.last_run_id end,
           last_run_at = greatest(f.last_run_at, excluded.last_run_at),
           market_runs_count = f.market_runs_count + excluded.market_runs_count,
           market_cost_usd = f.market_cost_usd + excluded.market_cost_usd,
           market_last_run_at = greatest(f.market_last_run_at, excluded.market_last_run_at))`;
}

/** Inserts the rows of `select` as revisions: id, project_id, workflow_id, data, sealed_secrets and market_terms_id. */
export function insertRevisionsSql(select: string): string {
  return `
    insert into workflow_revision (id, project_id, workflow_id, data, sealed_secrets, market_terms_id)
    ${select}`;
}

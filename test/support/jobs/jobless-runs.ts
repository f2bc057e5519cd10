/** Selects the ids of the runs in execution whose process has created no job yet. */
export const JOBLESS_RUNS = `
  select r.id from workflow_run r
   where r.state = 'running' and not exists (select 1 from pgboss.job j where j.name = 'workflow-run' and j.id = r.id)`;

/** What a claimed run consists of, of `scenario_run r`: columns of the claim statement of `TableClaims` as well. */
export const CLAIMED_COLUMNS = `r.billing_id as id, r.id as "runId", r.lease_token as token, r.attempts, r.created_at as "createdAt", r.traceparent, r.sequence,
  r.project_id as "projectId", r.parent_run_id as "parentRunId", r.worked_ms as "workedMs",
  r.inserted_variables as "insertedVariables",
  exists (select 1 from workflow_run m where m.id = r.parent_run_id and m.run_finished_at is not null) as "isOrphan"`;

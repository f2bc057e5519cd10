/** What a claimed run consists of, of `keyword_run r`: columns of the claim statement of `TableClaims`. */
export const CLAIMED_COLUMNS = `r.billing_id as id, r.id as "runId", r.lease_token as token, r.attempts, r.created_at as "createdAt", r.project_id as "projectId", r.topic,
  r.url, r.preset, r.do_clusterize as "doClusterize", (select stopwords from project where id = r.project_id) as stopwords`;

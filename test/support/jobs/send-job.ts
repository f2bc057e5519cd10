import type { TestService } from '../service.js';

/** Creates the job of a run that a test has inserted, and replaces an existing one. It is due immediately. */
export async function sendJob({ sql }: Pick<TestService, 'sql'>, queue: string, id: string): Promise<void> {
  await sql('delete from pgboss.job where id = $1', [id]);
  await sql(
    `insert into pgboss.job (id, name, group_id, heartbeat_seconds, retry_limit, expire_seconds, policy)
     select $1, name, '1', heartbeat_seconds, retry_limit, expire_seconds, policy from pgboss.queue where name = $2`,
    [id, queue],
  );
}

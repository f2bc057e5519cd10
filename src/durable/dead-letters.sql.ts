import type { Sql } from '../platform/database/database.js';

interface Filter {
  queues: readonly string[];
  /** Null: of all projects. */
  projectId: number | null;
}

export interface DeadLetterRow {
  id: string;
  queue: string;
  projectId: number;
  subjectId: string;
  error: string;
  createdAt: Date;
}

const MATCHES = `from pgboss.job j
  where j.name = any($1::text[]) and j.state = 'created' and ($2::int is null or j.group_id = $2::int::text)`;

/** Newest first. */
export function listDeadLetters(
  sql: Sql,
  { queues, projectId, limit, offset }: Filter & { limit: number; offset: number },
): Promise<DeadLetterRow[]> {
  return sql.query<DeadLetterRow>(
    `select j.id, j.name as queue, j.group_id::int as "projectId", j.data->>'subjectId' as "subjectId",
            j.data->>'error' as error, j.created_on as "createdAt" ${MATCHES}
      order by j.created_on desc, j.id desc limit $3 offset $4`,
    [queues, projectId, limit, offset],
  );
}

export async function countDeadLetters(sql: Sql, { queues, projectId }: Filter): Promise<number> {
  const [row] = await sql.query<{ total: number }>(`select count(*)::int as total ${MATCHES}`, [queues, projectId]);
  return row!.total;
}

import express from 'express';
import pg from 'pg';
import { BARE_KINDS, type BareKind, visibleSql } from './bare-statements.js';

/**
 * A process with Express and `pg` only, on the database in its argument. It returns lists and items with the
 * statements and the JSON of the service, and does not authenticate the caller.
 */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });

const columns = `p.id, p.name, p.webhook_url, p.is_webhook_enabled, p.total_spent_usd, p.created_at, p.updated_at,
  case when $1 then 'owner' else (select viewer_member.role from project_member viewer_member
    where viewer_member.project_id = p.id and viewer_member.user_id = $2) end as role`;
const visible = visibleSql('p.id');
const page = `select ${columns} from project p where ${visible} order by p.created_at desc, p.id desc limit $3 offset $4`;
const total = `select count(*)::int as total from project p where ${visible}`;
const item = `select ${columns} from project p where p.id = $3`;
const keys = `select k.id, k.project_id, k.provider, k.name, k.last4, k.created_at from provider_key k
  where k.project_id = any($1::int[]) order by k.id desc`;

const VIEWER = [true, 1];

const app = express();
app.get('/api/v1/projects/', async (request, response) => {
  const { nth, size } = pageOf(request);
  const [rows, counted] = await Promise.all([
    pool.query(page, [...VIEWER, size, (nth - 1) * size]),
    pool.query(total, VIEWER),
  ]);
  response.json({ page: nth, size, total: counted.rows[0].total, items: await toItems(rows.rows) });
});
app.get('/api/v1/projects/:id/', async (request, response) => {
  const { rows } = await pool.query(item, [...VIEWER, Number(request.params.id)]);
  const [project] = await toItems(rows);
  if (project) response.json(project);
  else response.status(404).json({ detail: 'Not found.' });
});
for (const kind of BARE_KINDS) serve(kind);

function serve({
  list: listPath,
  item: itemPath,
  columns,
  from,
  order,
  condition,
  row = unchanged => unchanged,
}: BareKind): void {
  const rows = `select ${columns} from ${from} where ${condition}`;
  const listed = `${rows} order by ${order} limit $3 offset $4`;
  const counted = `select count(*)::int as total from ${from} where ${condition}`;
  const one = `${rows} and t.id = $3`;
  app.get(listPath, async (request, response) => {
    const { nth, size } = pageOf(request);
    const [items, totals] = await Promise.all([
      pool.query(listed, [...VIEWER, size, (nth - 1) * size]),
      pool.query(counted, VIEWER),
    ]);
    response.json({ page: nth, size, total: totals.rows[0].total, items: items.rows.map(row) });
  });
  if (itemPath === undefined) return;
  app.get(itemPath, async (request, response) => {
    const { rows: found } = await pool.query(one, [...VIEWER, request.params.id]);
    if (found[0]) response.json(row(found[0]));
    else response.status(404).json({ detail: 'Not found.' });
  });
}

function pageOf(request: express.Request): { nth: number; size: number } {
  return { nth: Number(request.query.page ?? 1), size: Number(request.query.size ?? 10) };
}

async function toItems(projects: pg.QueryResultRow[]): Promise<object[]> {
  const { rows } = await pool.query(keys, [projects.map(({ id }) => id)]);
  return projects.map(project => ({
    id: project.id,
    name: project.name,
    total_spent: { USD: project.total_spent_usd, SR: String(Number(project.total_spent_usd) * 100) },
    attached_provider_keys: rows.filter(key => key.project_id === project.id),
    created_at: project.created_at,
    updated_at: project.updated_at,
    webhook_url: project.webhook_url,
    is_webhook_enabled: project.is_webhook_enabled,
    can_edit: project.role !== null,
  }));
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listens on http://127.0.0.1:${address.port}`);
});
server.keepAliveTimeout = 60_000;

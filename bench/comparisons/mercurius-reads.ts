import { createRequire } from 'node:module';
import pg from 'pg';

/**
 * A process: Fastify and mercurius, which compiles queries by graphql-jit, on the database in its first argument. It
 * answers projects with their workflows; a loader reads the workflows of all projects of a list. The second argument is
 * the folder of mercurius.
 */
const [, , databaseUrl, folder] = process.argv;
const load = createRequire(`${folder}/package.json`);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const schema = `
  type Query { projects(page: Int = 1, size: Int = 10): ProjectPage! }
  type ProjectPage { page: Int! size: Int! total: Int! items: [Project!]! }
  type Project {
    id: Int! name: String! webhookUrl: String! isWebhookEnabled: Boolean! createdAt: String! updatedAt: String!
    workflows(page: Int = 1, size: Int = 10): WorkflowPage!
  }
  type WorkflowPage { total: Int! items: [Workflow!]! }
  type Workflow {
    id: Int! projectId: Int! title: String! sortId: Int! shortDescription: String! isPublished: Boolean!
    createdAt: String! updatedAt: String!
  }`;

const PROJECTS = `select id, name, webhook_url as "webhookUrl", is_webhook_enabled as "isWebhookEnabled",
    created_at as "createdAt", updated_at as "updatedAt"
  from project order by created_at desc, id desc limit $1 offset $2`;
const WORKFLOWS = `select w.* from unnest($1::int[]) parent(id), lateral (
  select id, project_id as "projectId", title, sort_id as "sortId", short_description as "shortDescription",
         is_published as "isPublished", created_at as "createdAt", updated_at as "updatedAt"
    from workflow where project_id = parent.id and archived_at is null order by sort_id, id limit $2 offset $3) w`;
const TOTALS = `select project_id as id, count(*)::int as total from workflow
  where project_id = any($1::int[]) and archived_at is null group by project_id`;

interface PageArgs {
  page: number;
  size: number;
}

interface Times {
  createdAt: Date;
  updatedAt: Date;
}

const withTimes = <T extends Times>(row: T) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const resolvers = {
  Query: {
    async projects(_: unknown, { page, size }: PageArgs) {
      const [rows, counted] = await Promise.all([
        pool.query(PROJECTS, [size, (page - 1) * size]),
        pool.query('select count(*)::int as total from project'),
      ]);
      return { page, size, total: counted.rows[0].total, items: rows.rows.map(withTimes) };
    },
  },
};

/** All projects of a list ask for the same page. */
const loaders = {
  Project: {
    async workflows(queries: { obj: { id: number }; params: PageArgs }[]) {
      const ids = queries.map(({ obj }) => obj.id);
      const { page, size } = queries[0]!.params;
      const [rows, counted] = await Promise.all([
        pool.query(WORKFLOWS, [ids, size, (page - 1) * size]),
        pool.query(TOTALS, [ids]),
      ]);
      const items = Map.groupBy(rows.rows, row => row.projectId);
      const totals = new Map(counted.rows.map(row => [row.id, row.total]));
      return ids.map(id => ({ total: totals.get(id) ?? 0, items: (items.get(id) ?? []).map(withTimes) }));
    },
  },
};

const app = load('fastify')();
app.register(load('mercurius'), { schema, resolvers, loaders, jit: 1 });
console.log(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);

import type { Sql } from '../../platform/database/database.js';
import type { ActivityPosition } from './activity-position.js';
import type { ProjectActivity, ProjectActivityKind } from './project-activity.type.js';

/** `key` orders activities with the same time. */
type ActivityRow = Omit<ProjectActivity, 'cursor'> & { key: string };

/** A table whose rows are activities. Except `kind`, the members are SQL: `from` a FROM clause, the others expressions. */
interface Source {
  kind: `${ProjectActivityKind}`;
  /** The alias `r` is the table of the activity. */
  from: string;
  state: string;
  /** The time of the last change. */
  at: string;
  isActive: string;
  /** A condition for the rows that are activities. Default: all rows. */
  filter?: string;
  title: string;
  /** Ids of related records. Default: null. */
  ids?: Partial<Record<'workflow' | 'scenario' | 'document' | 'run', string>>;
}

const STATUS_AS_STATE = `case r.status when 'created' then 'queued' when 'in_progress' then 'running' when 'finished' then 'succeeded'
  when 'error' then 'failed' else r.status end`;

const APPROVAL = {
  kind: 'agent_approval',
  from: `workflow_run_approval r join workflow_run waiting on waiting.id = r.run_id
         left join workflow w on w.id = waiting.workflow_id`,
  title: 'w.title',
  ids: { workflow: 'waiting.workflow_id', run: 'r.run_id' },
} satisfies Partial<Source>;
/** The condition of an approval request without a decision. It also ends with its time limit and with its run. */
const PENDING = 'r.decision is null and r.expires_at > now() and waiting.run_finished_at is null';

const SOURCES: readonly Source[] = [
  {
    kind: 'workflow_run',
    from: 'workflow_run r left join workflow w on w.id = r.workflow_id',
    state: 'r.state',
    at: 'r.updated_at',
    isActive: `r.state in ('queued', 'running', 'waiting')`,
    filter: `r.state <> 'draft'`,
    title: 'w.title',
    ids: { workflow: 'r.workflow_id' },
  },
  {
    kind: 'scenario_run',
    from: 'scenario_run r left join scenario s on s.id = r.scenario_id',
    state: STATUS_AS_STATE,
    at: 'r.updated_at',
    isActive: `r.status in ('created', 'in_progress')`,
    title: 's.name',
    ids: { scenario: 'r.scenario_id' },
  },
  {
    kind: 'recognition_run',
    from: 'recognition_run r join document d on d.id = r.document_id',
    state: STATUS_AS_STATE.replaceAll('r.status', 'r.state'),
    at: 'r.updated_at',
    isActive: `r.state in ('created', 'in_progress')`,
    title: 'd.filename',
    ids: { document: 'r.document_id' },
  },
  {
    kind: 'keyword_run',
    from: 'keyword_run r',
    state: STATUS_AS_STATE,
    at: 'r.updated_at',
    isActive: `r.status in ('created', 'in_progress')`,
    title: `coalesce(nullif(r.topic, ''), nullif(r.url, ''))`,
  },
  {
    ...APPROVAL,
    state: `coalesce(r.decision, 'pending')`,
    at: 'coalesce(r.decided_at, r.created_at)',
    isActive: PENDING,
    filter: `(r.decision is not null or (${PENDING}))`,
  },
  {
    ...APPROVAL,
    state: `'expired'`,
    at: 'r.expires_at',
    isActive: 'false',
    filter: 'r.decision is null and r.expires_at <= now()',
  },
];

/**
 * Parameters: $1 project, $2 and $3 time and key of the start, exclusive, $4 limit. Each source reads an index
 * in its order.
 */
const CHANGED = `${SOURCES.map(source => `(${select(source, 'true')})`).join(' union all ')} order by "at", key limit $4`;
// Recently ended activities are included. Otherwise a new subscriber would miss an activity that ended just
// before the subscription.
const recentlyEnded = (source: Source) => `${source.at} > now() - interval '10 seconds' and not (${source.isActive})`;
const ACTIVE = `${SOURCES.flatMap(source => [select(source, source.isActive), select(source, recentlyEnded(source))])
  .map(text => `(${text})`)
  .join(' union all ')} order by "at", key limit $4`;

function select({ kind, from, state, at, filter = 'true', title, ids = {} }: Source, condition: string): string {
  const key = `('${kind}:' || r.id) collate "C"`;
  const { workflow = 'null::int', scenario = 'null::int', document = 'null::int', run = 'null::uuid' } = ids;
  return `
  select '${kind}' as kind, r.id::text as id, ${state} as state, ${at} as "at", ${title} as title, ${workflow} as "workflowId",
         ${scenario} as "scenarioId", ${document} as "documentId", ${run} as "runId", ${key} as key
    from ${from}
   where r.project_id = $1 and ${at} >= to_timestamp($2::float8 / 1000) and (${condition}) and ${filter}
     and (${at} > to_timestamp($2::float8 / 1000) or ${key} > $3)
   order by ${at}, ${key} limit $4`;
}

/** A page of activities to read. */
interface ActivityRead {
  projectId: number;
  after: ActivityPosition;
  limit: number;
}

/** Reads the activities after a moment, by time. */
export function readChangedActivities(sql: Sql, { projectId, after, limit }: ActivityRead): Promise<ActivityRow[]> {
  return sql.query(CHANGED, [projectId, after.ms, after.key, limit]);
}

/** Reads the activities in progress or ended within the last ten seconds, by time. */
export function readActiveActivities(sql: Sql, { projectId, after, limit }: ActivityRead): Promise<ActivityRow[]> {
  return sql.query(ACTIVE, [projectId, after.ms, after.key, limit]);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { sha256 } from '../../../../src/platform/crypto/crypto.js';
import { pureGraph } from '../../../support/run-graphs.js';
import type { TestService } from '../../../support/service.js';
import type { Cast } from '../callers.js';
import { COPIES, copied, newCopies } from './place-copies.js';
import { endRun, giveTerms, MARKET, showWorkflow } from './place-market.js';
import { copyParts, modelParts } from './place-parts.js';
import { writeRows } from './place-rows.js';

/**
 * The objects of one request of the sweep: a project with every kind of object that a request may name. Each request that
 * changes something gets its own place. Not related to the place of a node in a run.
 */
export interface Place {
  project: number;
  workflow: number;
  /** Queued; an agent of it asks for `approval`. */
  run: string;
  draft: string;
  /** Has succeeded. */
  ended: string;
  approval: string;
  /** A category of its own that is not in use, with a subcategory. */
  category: number;
  subcategory: number;
  variable: number;
  prompt: number;
  message: number;
  scenario: number;
  /** A finished run of the scenario. */
  scenariorun: number;
  document: number;
  /** A finished recognition run of the document, and its chunk. */
  recognition: number;
  chunk: number;
  /** A finished keyword run, and its keyword. */
  keywordrun: number;
  keyword: number;
  /** A webhook that starts runs of the workflow. */
  trigger: number;
  /** Attached to the project. */
  providerkey: number;
  /** Project variable that is not secret. */
  projectvariable: number;
  /** Connection without a secret. */
  connection: number;
  /** An imported OpenAPI document with one operation. */
  apidefinition: number;
  /** A webhook delivery of the project that succeeded. */
  delivery: string;
  /** A file that no run has used. */
  file: string;
  /** Of the key `color`. */
  keyvalue: string;
  /** A rehearsal of the workflow that has not begun. */
  rehearsal: string;
  /** Invitation of the viewer to the project. */
  invitation: number;
  /** The bystander's membership. */
  member: number;
  /** Of the owner. */
  apiKey: number;
  /** A session of the owner that sends no requests. */
  session: string;
  /** A user who is only in this place. */
  leaver: number;
  /** Opens the next session of the bystander, once. */
  refresh: string;
  /** The user ids of the bystander and the editor: the same in all places. */
  bystander: number;
  editor: number;
  /** A workflow on the marketplace and an example of it: the same in all places. */
  slug: string;
  example: string;
  /** An MCP server that a node of the workflow names. */
  mcpUrl: string;
}

const NO_UUID = '01a1fccb-0000-7000-8000-000000000000';
const NO_ID = 2_000_000_000;

/** Ids that never existed. */
export function missingPlace({ mcpUrl, editor, slug, example }: Place): Place {
  return {
    project: NO_ID,
    workflow: NO_ID,
    run: NO_UUID,
    draft: NO_UUID,
    ended: NO_UUID,
    approval: NO_UUID,
    category: NO_ID,
    subcategory: NO_ID,
    variable: NO_ID,
    prompt: NO_ID,
    message: NO_ID,
    scenario: NO_ID,
    scenariorun: NO_ID,
    document: NO_ID,
    recognition: NO_ID,
    chunk: NO_ID,
    keywordrun: NO_ID,
    keyword: NO_ID,
    trigger: NO_ID,
    providerkey: NO_ID,
    projectvariable: NO_ID,
    connection: NO_ID,
    apidefinition: NO_ID,
    delivery: NO_UUID,
    file: NO_UUID,
    keyvalue: NO_UUID,
    rehearsal: NO_UUID,
    invitation: NO_ID,
    member: NO_ID,
    apiKey: NO_ID,
    session: NO_UUID,
    leaver: NO_ID,
    refresh: 'none',
    bystander: NO_ID,
    editor,
    mcpUrl,
    slug,
    example,
  };
}

const RUNS = `cross join lateral (values ($2::uuid, p.run), ($3::uuid, p.draft), ($4::uuid, p.ended)) r(old, new)`;

/** Creates one place through the product and copies its rows: thousands of requests need hundreds of places. */
export async function makePlaces(service: TestService, cast: Cast, mcpUrl: string, count: number): Promise<Place[]> {
  const model = await modelPlace(service, cast, mcpUrl);
  const copies = await newCopies(service, count);
  const ids = JSON.stringify(copies);
  const runs = [model.run, model.draft, model.ended];
  const run = (table: string, id: string) =>
    service.sql(copied(table, `'${id}', r.new`, `t.${id} = r.old`, RUNS), [ids, ...runs]);
  await service.sql(copied('project', `'id', p.project`, 't.id = $2'), [ids, model.project]);
  await service.sql(copied('workflow', `'id', p.workflow, 'project_id', p.project, 'revision_id', null`, 't.id = $2'), [
    ids,
    model.workflow,
  ]);
  await service.sql(
    copied(
      'workflow_revision',
      `'id', p.revision, 'project_id', p.project, 'workflow_id', p.workflow`,
      't.workflow_id = $2',
    ),
    [ids, model.workflow],
  );
  await service.sql(`update workflow w set revision_id = p.revision from ${COPIES} where w.id = p.workflow`, [ids]);
  const parents = `'id', r.new, 'project_id', p.project, 'workflow_id', p.workflow, 'revision_id', p.revision`;
  await service.sql(copied('workflow_run', parents, 't.id = r.old', RUNS), [ids, ...runs]);
  await run('workflow_run_payload', 'run_id');
  await run('workflow_run_journal', 'run_id');
  await service.sql(
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     select approval, run, project, 'agent', 'start', now(), now() + interval '1 day' from ${COPIES}`,
    [ids],
  );
  await copyParts(service, ids, model.parts);
  await writeRows(service, ids);
  const members = await service.sql(
    `insert into project_member (project_id, user_id, role)
     select p.project, m.user, m.role from ${COPIES} cross join json_to_recordset($2) as m("user" int, role text)
     returning id, project_id as project, user_id as user`,
    [
      ids,
      JSON.stringify([
        ...(['viewer', 'editor', 'admin', 'owner'] as const).map(role => ({ user: cast.ids[role], role })),
        { user: cast.ids.bystander, role: 'viewer' },
      ]),
    ],
  );
  const invitations = await service.sql(
    `insert into project_invitation (project_id, email, role, expires_at)
     select p.project, 'the-viewer@example.com', 'editor', now() + interval '1 day' from ${COPIES}
     returning id, project_id as project`,
    [ids],
  );
  const invitationOf = new Map(invitations.map(({ id, project }) => [project, id as number]));
  const bystanders = new Map(members.filter(m => m.user === cast.ids.bystander).map(m => [m.project, m.id]));
  const spare = {
    keys: await ownersKeys(service, cast, KEYS),
    sessions: await ownersSessions(service, cast, KEYS),
    leavers: await leavers(service),
    tokens: await refreshTokens(service, cast.ids.bystander, TOKENS),
  };
  const { bystander, editor } = cast.ids;
  const shown = await showWorkflow(service);
  await giveTerms(service, ids, shown.slug);
  return copies.map(copy => {
    const member = bystanders.get(copy.project) as number;
    const invitation = invitationOf.get(copy.project) as number;
    return withSpares({ ...copy, invitation, member, bystander, editor, mcpUrl, ...shown }, spare);
  });
}

/** A user has at most 100 keys, so a place gets one only when it is first needed. */
const KEYS = 60;
const TOKENS = 100;
const LEAVERS = 20;

/** Keys and tokens of places are created when they are first needed. */
function withSpares(
  place: Omit<Place, 'apiKey' | 'session' | 'leaver' | 'refresh'>,
  spare: { keys: number[]; sessions: string[]; leavers: number[]; tokens: string[] },
): Place {
  const lazily = <T>(name: string, from: T[]) => ({
    configurable: true,
    get(): T {
      if (from.length === 0) throw new Error(`no ${name} is left for this place`);
      const value = from.shift()!;
      Object.defineProperty(place, name, { value });
      return value;
    },
  });
  return Object.defineProperties(place, {
    apiKey: lazily('apiKey', spare.keys),
    session: lazily('session', spare.sessions),
    leaver: lazily('leaver', spare.leavers),
    refresh: lazily('refresh', spare.tokens),
  }) as Place;
}

async function leavers(service: TestService): Promise<number[]> {
  const rows = await service.sql<{ id: number }>(
    `insert into app_user (email) select 'leaver-' || n || '@example.com' from generate_series(1, ${LEAVERS}) n returning id`,
  );
  return rows.map(row => row.id);
}

async function modelPlace(service: TestService, cast: Cast, mcpUrl: string) {
  const headers = cast.headers['owner by key']!;
  const rest = async (path: string, body: unknown) => {
    const answer = await service.rest('POST', path, { key: null, headers, body });
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id: project } = await rest('/api/v1/projects/', { name: 'Place' });
  await service.sql(`update project set webhook_url = 'https://example.com/' where id = $1`, [project]);
  const data = pureGraph() as { nodes: unknown[] };
  data.nodes.push({ id: 'tools', type: 'mcp-node', data: { label: 'tools', endpoint_url: mcpUrl, tool: 'echo' } });
  const { id: workflow } = await rest('/api/v1/workflows/', {
    project,
    title: 'Workflow',
    data,
    ...MARKET,
  });
  const start = async () => (await rest(`/api/v1/workflows/${workflow}/run/`, { topic: 'cats' })).data.id as string;
  const [run, draft, ended] = [await start(), await start(), await start()];
  await service.sql(`update workflow_run set state = 'draft', queued_at = null where id = $1`, [draft]);
  await endRun(service, ended);
  await service.sql('update workflow_run set use_as_marketplace_template = true where id = $1', [ended]);
  const parts = await modelParts(project, rest);
  return { project: project as number, workflow: workflow as number, run, draft, ended, parts };
}

async function ownersKeys(service: TestService, { ids }: Cast, count: number): Promise<number[]> {
  const rows = await service.sql(
    `insert into api_key (user_id, name, prefix, hash) select $1, 'spare', 'sk-', sha256(n::text::bytea)
       from generate_series(1, $2::int) n returning id`,
    [ids.owner, count],
  );
  return rows.map(row => row.id);
}

async function ownersSessions(service: TestService, { ids }: Cast, count: number): Promise<string[]> {
  const rows = await service.sql<{ id: string }>(
    `insert into user_session (id, user_id, expires_at)
     select gen_random_uuid(), $1, now() + interval '1 day' from generate_series(1, $2::int) returning id`,
    [ids.owner, count],
  );
  return rows.map(row => row.id);
}

async function refreshTokens(service: TestService, user: number, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => ({
    session: randomUUID(),
    text: randomBytes(32).toString('base64url'),
  }));
  await service.sql(
    `insert into user_session (id, user_id, expires_at) select id, $2, now() + interval '1 day' from unnest($1::uuid[]) id`,
    [tokens.map(token => token.session), user],
  );
  await service.sql(
    `insert into refresh_token (hash, session_id, expires_at)
     select hash, session, now() + interval '1 day' from unnest($1::bytea[], $2::uuid[]) as t(hash, session)`,
    [tokens.map(token => sha256(token.text)), tokens.map(token => token.session)],
  );
  // The token of the place is also that of a sign-in link.
  await service.sql(
    `insert into sign_in_link (hash, user_id, expires_at) select hash, $2, now() + interval '1 day' from unnest($1::bytea[]) hash`,
    [tokens.map(token => sha256(token.text)), user],
  );
  return tokens.map(token => token.text);
}

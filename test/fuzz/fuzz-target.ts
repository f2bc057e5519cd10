import fc from 'fast-check';
import { joinProject } from '../support/members.js';
import { pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin } from '../support/sessions.js';
import { startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** An OpenAPI document. */
const PETS = '{"openapi": "3.1.0", "paths": {"/pets": {"get": {}}}}';

/** Ids of objects that belong together, in one project. */
export interface Fixture {
  project: number;
  workflow: number;
  /** Number of a revision of the workflow. */
  revision: number;
  run: string;
  approval: string;
  member: number;
  /** Of the viewer. */
  invitation: number;
  variable: number;
  prompt: number;
  message: number;
  scenario: number;
  scenarioRun: number;
  document: number;
  recognitionRun: number;
  chunk: number;
  keywordRun: number;
  keyword: number;
  delivery: string;
  file: string;
  keyValueEntry: string;
  rehearsal: string;
  /** Slug of a published workflow, and a run of it that is its template and an example. */
  slug: string;
  example: string;
  providerKey: number;
  projectVariable: number;
  connection: number;
  apiDefinition: number;
  environment: number;
  /** Of the workflow. */
  trigger: number;
}
export type Kind = keyof Fixture | 'apiKey' | 'user' | 'category';

/**
 * A placeholder for an id that is looked up when the request is sent: of an existing object, a deleted one, or one of
 * another project.
 */
export class Slot {
  constructor(
    readonly kind: Kind,
    readonly state: 'live' | 'gone' | 'foreign',
    /** Selects one of several candidates. */
    readonly pick: number,
  ) {}
}

export const slotOf = (kind: Kind, liveWeight = 8): fc.Arbitrary<Slot> =>
  fc
    .tuple(
      fc.oneof(
        { weight: liveWeight, arbitrary: fc.constant('live' as const) },
        { weight: 1, arbitrary: fc.constant('gone' as const) },
        { weight: 1, arbitrary: fc.constant('foreign' as const) },
      ),
      fc.nat(7),
    )
    .map(([state, pick]) => new Slot(kind, state, pick));

export const ACTORS = ['owner', 'administrator', 'viewer', 'outsider', 'session', 'anonymous', 'wrong'] as const;
export type Actor = (typeof ACTORS)[number];

const BEYOND_REACH = 1_000_000_000;

/** Most fixtures of each kind that are kept for use; older ones are no longer referred to. */
const MAX_FIXTURES = 8;

/** A service with objects to use, and the credentials to use them. */
export class FuzzTarget {
  readonly #live: Fixture[] = [];
  readonly #gone: Fixture[] = [];
  readonly #foreign: Fixture[] = [];
  readonly #apiKeys = { live: [] as number[], gone: [] as number[] };
  #making: Promise<void> | undefined;

  private constructor(
    readonly service: TestService,
    readonly credentials: Record<Actor, Record<string, string>>,
    private readonly users: number[],
  ) {}

  static async open(): Promise<FuzzTarget> {
    const stub = await startStubUpstream();
    const provider = { baseUrl: stub.url, apiKey: 'sk-of-the-service' };
    const service = await startTestService({
      role: 'api',
      outboundAllow: [],
      ...{ openai: provider, anthropic: provider, gemini: provider },
    });
    const stop = service.stop;
    service.stop = async () => {
      await stop();
      await stub.stop();
    };
    // Users and keys get ids that no generated request names by chance, and no rate limit.
    await service.sql(`alter sequence app_user_id_seq restart with ${BEYOND_REACH}`);
    const [owner, viewer, outsider, administrator] = await Promise.all(
      ['owner', 'viewer', 'outsider', 'administrator', 'bystander'].map(name => service.createUser(name)),
    );
    const session = await createLogin(service, 'session');
    await service.sql(`update app_user set is_admin = true where email = 'administrator@example.com'`);
    await service.sql(`update api_key set id = id + ${BEYOND_REACH}, rate_limit = 0`);
    await Promise.all(['one', 'two', 'three'].map(name => service.createUser(name)));
    const users = await service.sql(`select id from app_user where name in ('one', 'two', 'three') order by id`);
    const key = (person: { key: string } | undefined) => ({ 'X-Api-Key': person?.key ?? '' });
    const credentials = {
      owner: key(owner),
      administrator: key(administrator),
      viewer: key(viewer),
      outsider: key(outsider),
      session: { Authorization: `Bearer ${session.access}` },
      anonymous: {},
      wrong: key({ key: 'sk-wrong' }),
    };
    const target = new FuzzTarget(
      service,
      credentials,
      users.map(user => user.id),
    );
    target.#foreign.push(await target.createFixture('outsider'));
    target.#gone.push(await target.createFixture('owner'));
    await target.#delete(target.#gone);
    return target;
  }

  /** The id that a slot stands for now. */
  async idOf({ kind, state, pick }: Slot): Promise<number | string> {
    if (kind === 'user') return at(this.users, pick) ?? 0;
    if (kind === 'category') return state === 'live' ? 1 + pick : BEYOND_REACH;
    if (kind === 'apiKey') return at(this.#apiKeys[state === 'live' ? 'live' : 'gone'], pick) ?? 0;
    if (state === 'live') await this.#replenish();
    const fixtures = { live: this.#live, gone: this.#gone, foreign: this.#foreign }[state];
    return at(fixtures, pick)?.[kind] ?? 0;
  }

  /** Records a key that was created. */
  recordApiKey(apiKey: number): void {
    this.#apiKeys.live.unshift(apiKey);
    this.#apiKeys.live.splice(MAX_FIXTURES);
  }

  /** Records a deletion. */
  recordDeletion(kind: Kind, id: number | string): void {
    if (kind === 'apiKey') move(this.#apiKeys.live, this.#apiKeys.gone, key => String(key) === String(id));
    else if (kind !== 'user' && kind !== 'category')
      move(this.#live, this.#gone, fixture => String(fixture[kind]) === String(id));
    for (const list of [this.#gone, this.#apiKeys.gone]) list.splice(MAX_FIXTURES);
  }

  /** Creates a project with a workflow, a run, a member and a request for approval. */
  async createFixture(actor: 'owner' | 'outsider'): Promise<Fixture> {
    const options = { key: null, headers: this.credentials[actor] };
    const make = async (path: string, body: unknown) => {
      const answer = await this.service.rest('POST', path, { ...options, body });
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const project = (await make('/api/v1/projects/', { name: 'Place' })).id;
    // The first administrator has an id that a request may name by chance.
    const join = (email: string, role: string) =>
      joinProject(this.service, project, email, role, this.credentials.administrator['X-Api-Key']);
    const member = (await join('bystander@example.com', 'editor')).id;
    await join('viewer@example.com', 'viewer');
    await join('session@example.com', 'admin');
    const [invitation] = await this.service.sql(
      `insert into project_invitation (project_id, email, role, expires_at)
       values ($1, 'viewer@example.com', 'editor', now() + interval '1 day') returning id`,
      [project],
    );
    const workflow = (await make('/api/v1/workflows/', { project, title: 'Workflow', data: pureGraph() })).id;
    const run = (await make(`/api/v1/workflows/${workflow}/run/`, { topic: 'cats' })).data.id;
    const [approval] = await this.service.sql(
      `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
       values (gen_random_uuid(), $1, $2, 'agent', 'start', now(), now() + interval '1 day') returning id`,
      [run, project],
    );
    const attach = `mutation { providerKeyAttach(projectId: ${project}, input: {
      provider: OPENAI, name: "Key", key: "sk-0123456789", baseUrl: "http://127.0.0.1:1/v1" }) { providerKey { id } } }`;
    const providerKey = (await make('/graphql', { query: attach })).data.providerKeyAttach.providerKey.id;
    const variable = { project, name: 'API_TOKEN', value: 'secret-0123', is_secret: true };
    const projectVariable = (await make('/api/v1/project-variables/', variable)).id;
    const environment = (await make('/api/v1/project-environments/', { project, name: 'staging' })).id;
    const account = {
      project,
      name: 'Server',
      kind: 'basic',
      settings: { username: 'ada', base_url: 'http://127.0.0.1:1' },
    };
    const connection = (await make('/api/v1/connections/', account)).id;
    const api = { project, name: 'Pets', document: PETS, base_url: 'http://127.0.0.1:1' };
    const apiDefinition = (await make('/api/v1/api-definitions/', api)).id;
    const trigger = (await make(`/api/v1/workflows/${workflow}/triggers/`, { name: 'Hook', webhook: {} })).id;
    const tool = `mutation { mcpServerToolSave(workflowId: ${workflow}, input: { name: "tool" }) { mcpServerTool { name } } }`;
    await make('/graphql', { query: tool });
    const shown = await this.#published(project, make);
    return {
      project,
      workflow,
      revision: 1,
      run,
      approval: approval?.id,
      member,
      invitation: invitation?.id,
      providerKey,
      projectVariable,
      connection,
      apiDefinition,
      environment,
      trigger,
      ...shown,
      ...(await this.#library(project, make)),
    };
  }

  async #published(project: number, make: (path: string, body: unknown) => Promise<any>) {
    const market = { market_title: 'Shown', short_description: 'About', available_languages: ['en'] };
    const { id } = await make('/api/v1/workflows/', { project, title: 'Shown', data: pureGraph(), ...market });
    const example = (await make(`/api/v1/workflows/${id}/run/`, { topic: 'cats' })).data.id;
    await this.service.sql(
      `update workflow_run set state = 'succeeded', run_started_at = now(), run_finished_at = now(),
              use_as_marketplace_template = true, use_in_marketplace_example = true where id = $1`,
      [example],
    );
    const { slug } = await make(`/api/v1/workflows/${id}/publish-on-marketplace/`, undefined);
    return { slug, example };
  }

  /** Creates the parts of scenarios, a recognized document and a delivered webhook. */
  async #library(project: number, make: (path: string, body: unknown) => Promise<{ id: number }>) {
    const category = 1;
    const { id: variable } = await make('/api/v1/variables/', { key: 'v', project, variable_names: [{ name: 'a' }] });
    const { id: prompt } = await make('/api/v1/prompts/', { key: 'p', project, role: 'user', content: 'Write.' });
    const { id: message } = await make('/api/v1/messages/', { key: 'm', project, prompts: [prompt] });
    const fees = { run_fee: 0, free_runs_per_user: 0 };
    const { id: scenario } = await make('/api/v1/scenarios/', {
      name: 'S',
      project,
      category,
      ...fees,
      messages: [message],
    });
    const { id: scenarioRun } = await make('/api/v1/scenarioruns/run/', { scenario });
    const [made] = await this.service.sql(
      `with document as (
         insert into document (project_id, key, filename, result_file, content_type, size, sha256)
         values ($1, 'd', 'd.txt', gen_random_uuid(), 'text/plain', 1, '\\x00') returning id),
       run as (
         insert into recognition_run (project_id, document_id, chunk_size, state, finished_at)
         select $1, id, 500, 'finished', now() from document returning id),
       chunk as (insert into recognition_chunk (run_id, index, text, tokens) select id, 0, 'cats', 1 from run returning id),
       keywords as (
         insert into keyword_run (project_id, topic, preset, status, found, finished_at)
         values ($1, 'cats', 1, 'finished', '["cats"]', now()) returning id),
       keyword as (
         insert into keyword (project_id, keywordrun_id, name, rank) select $1, id, 'cats', 0 from keywords returning id),
       delivery as (
         insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, finished_at)
         values (gen_random_uuid(), $1, 'https://example.com/', true, 'webhook.test', '{}', 'delivered', null, now())
         returning id),
       store as (insert into key_value_store (project_id, version, entries, bytes) values ($1, 1, 1, 8)),
       entry as (
         insert into key_value_entry (id, project_id, key, value, bytes, version)
         values (gen_random_uuid(), $1, 'count', '1', 8, 1) returning id),
       rehearsal as (
         insert into rehearsal (id, project_id, workflow_id, kind, state, settings, budget_usd, finished_at)
         select gen_random_uuid(), $1, max(id), 'publish_check', 'succeeded', '{"allow": []}', 0, now() from workflow where project_id = $1
         returning id),
       file as (
         insert into project_file (id, project_id, result_file, filename, content_type, size, sha256)
         values (gen_random_uuid(), $1, md5(random()::text), 'f.txt', 'text/plain', 1, '\\x00') returning id)
       select file.id as file, entry.id as "keyValueEntry", rehearsal.id as rehearsal, document.id as document, run.id as "recognitionRun", chunk.id as chunk, delivery.id as delivery,
              keywords.id as "keywordRun", keyword.id as keyword
         from document, run, chunk, delivery, keywords, keyword, file, entry, rehearsal`,
      [project],
    );
    const read = made as Pick<
      Fixture,
      | 'document'
      | 'recognitionRun'
      | 'chunk'
      | 'delivery'
      | 'keywordRun'
      | 'keyword'
      | 'file'
      | 'keyValueEntry'
      | 'rehearsal'
    >;
    return { variable, prompt, message, scenario, scenarioRun, ...read };
  }

  async #replenish(): Promise<void> {
    this.#making ??= this.#fill().finally(() => {
      this.#making = undefined;
    });
    // A fixture that is being created when the service stops is not needed, so the failure is ignored.
    this.#making.catch(() => {});
    // Only the first fixtures are waited for; later ones are created in the background.
    if (this.#live.length === 0) await this.#making;
  }

  async #fill(): Promise<void> {
    while (this.#live.length < 4) this.#live.push(await this.createFixture('owner'));
  }

  async #delete(fixtures: Fixture[]): Promise<void> {
    for (const { project } of fixtures) {
      await this.service.rest('DELETE', `/api/v1/projects/${project}/`, {
        key: null,
        headers: this.credentials.owner,
      });
    }
  }
}

/** One of the items; undefined if there are none. */
function at<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % list.length];
}

function move<T>(from: T[], to: T[], isMeant: (item: T) => boolean): void {
  const meant = from.findIndex(isMeant);
  if (meant >= 0) to.unshift(...from.splice(meant, 1));
}

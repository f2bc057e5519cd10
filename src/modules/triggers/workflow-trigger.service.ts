import { randomBytes } from 'node:crypto';
import DataLoader from 'dataloader';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder, rowCount } from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { recordAuditEvent } from '../accounts/audit.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { Viewer } from '../accounts/viewer.js';
import { toStoredEnvironment } from '../project-variables/environments/environment-name.js';
import type { VariableReader } from '../project-variables/variable-reader.js';
import type { ProjectAccess } from '../projects/access.js';
import { type Action, isAllowed, type ProjectRole } from '../projects/rights.js';
import { type LocatedWorkflow, locateWorkflow } from '../workflows/locate-workflow.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { checkChat } from './chat/chat-settings.js';
import type { TriggerChat } from './chat/chat-trigger.type.js';
import { checkEvent, checkFailure } from './events/event-settings.js';
import type { TriggerEvent, TriggerFailure } from './events/event-trigger.type.js';
import { checkForm } from './form/form-settings.js';
import type { TriggerForm } from './form/form-trigger.type.js';
import { TriggerFormAccess } from './form/form-trigger.type.js';
import { droppedOccurrences, nextStartColumns, scheduleSettingsOf } from './schedule/next-start.js';
import {
  findTrigger,
  type ListedTrigger,
  readTrigger,
  sealContextOf,
  selectListed,
  selectTriggers,
  type TriggerSecrets,
  toListedTrigger,
  toTrigger,
} from './stored-trigger.js';
import {
  checkInput,
  checkSchedule,
  checkWebhook,
  type ScheduleSettings,
  type WebhookSettings,
} from './trigger-settings.js';
import type { TriggerStarts } from './trigger-starts.js';
import type { TriggerTables } from './trigger-tables.js';
import { TRIGGER_KINDS, type TriggerKind } from './workflow-trigger.entity.js';
import type { WorkflowTriggerCreateInput, WorkflowTriggerUpdateInput } from './workflow-trigger.inputs.js';
import { type WorkflowTrigger, WorkflowTriggerKind } from './workflow-trigger.type.js';

/** The maximum number of triggers of a workflow. */
const MAX_TRIGGERS = 20;

/** The checked settings of an input; those of the other kinds are undefined. */
interface CheckedSettings {
  schedule: ScheduleSettings | undefined;
  webhook: WebhookSettings | undefined;
  event: TriggerEvent | undefined;
  failure: TriggerFailure | undefined;
  form: TriggerForm | undefined;
  chat: TriggerChat | undefined;
  input: Record<string, unknown>;
}

/** Creates, changes, lists and deletes the triggers of workflows. */
export class WorkflowTriggerService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly revisions: RevisionStore,
    private readonly vault: Vault,
    private readonly environments: Pick<VariableReader, 'hasEnvironment'>,
    private readonly starts: Pick<TriggerStarts, 'insertFirings'>,
  ) {}

  /** The triggers of a workflow, or of a project, newest first. With both ids: those of the workflow if it is in the project. */
  async list(
    viewer: Viewer,
    of: { workflowId: number | null; projectId: number | null },
    page: PageArgs,
  ): Promise<Page<ListedTrigger>> {
    const { workflowId, projectId } = of;
    if (workflowId !== null) await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    else if (projectId !== null) await this.access.authorize(viewer, projectId, 'project.read');
    else throw new InvalidInputError({ workflowId: ['Give the id of a workflow or of a project.'] });
    const { limit, offset } = toLimitOffset(page);
    const triggers = selectTriggers(this.database)
      .where('w.archived_at', 'is', null)
      .$if(workflowId !== null, query => query.where('t.workflow_id', '=', workflowId!))
      .$if(projectId !== null, query => query.where('t.project_id', '=', projectId!));
    const [rows, { total }] = await Promise.all([
      selectListed(triggers).orderBy('t.id', 'desc').limit(limit).offset(offset).execute(),
      triggers.clearSelect().select(rowCount().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { ...page, total, items: rows.map(toListedTrigger) };
  }

  async get(viewer: Viewer, id: number): Promise<WorkflowTrigger> {
    return this.#locate(this.database, viewer, id, 'project.read');
  }

  async create(viewer: Viewer, request: WorkflowTriggerCreateInput): Promise<WorkflowTrigger> {
    const { workflowId } = request;
    const workflow = await locateWorkflow(this.database, viewer, workflowId, 'trigger.create');
    const [kind, ...others] = kindsOf(request);
    if (kind === undefined || others.length > 0)
      throw new InvalidInputError({ [others[0] ?? 'schedule']: [`Give exactly one of ${TRIGGER_KINDS.join(', ')}.`] });
    const checked = await this.#check(this.database, workflow, request, { hasSecret: false, at: null });
    const id = await this.database.transaction(async sql => {
      const tables = queryBuilder<TriggerTables>(sql);
      const { pausedAt } = await locateWorkflow(sql, viewer, workflowId, 'trigger.create', { lock: true });
      // The sealed values are bound to the id, so it is needed before the insertion.
      const { id, count } = await tables
        .selectFrom('workflow_trigger')
        .select(({ fn }) => [
          expression<number>`nextval('workflow_trigger_id_seq')::int`.as('id'),
          fn.countAll<number>().as('count'),
        ])
        .where('workflow_id', '=', workflowId)
        .executeTakeFirstOrThrow();
      if (count >= MAX_TRIGGERS)
        throw new ConflictError(`A workflow has at most ${MAX_TRIGGERS} triggers: delete one first.`);
      await tables
        .insertInto('workflow_trigger')
        .values({
          ...{ id, project_id: workflow.projectId, workflow_id: workflowId, user_id: viewer.userId || null },
          ...{ name: request.name.trim(), is_enabled: request.isEnabled, kind },
          ...{ input: JSON.stringify(checked.input), settings: JSON.stringify(checked[kind]) },
          environment: toStoredEnvironment(request.environment),
          ...(checked.webhook || checked.form || checked.chat
            ? this.#secretsOf(id, createToken(), request.webhook?.secret ?? null)
            : {}),
          ...nextStartColumns(id, request.isEnabled && pausedAt === null ? checked.schedule : undefined, true),
        })
        .execute();
      await this.#audit(sql, viewer, 'trigger.create', { id, projectId: workflow.projectId });
      return id;
    });
    return readTrigger(this.database, id);
  }

  async update(viewer: Viewer, id: number, request: WorkflowTriggerUpdateInput): Promise<WorkflowTrigger> {
    await this.database.transaction(async sql => {
      const { trigger, workflow } = await this.#lock(sql, viewer, id);
      const { projectId } = trigger;
      const { webhook } = request;
      const other = kindsOf(request).find(kind => trigger[kind] === null);
      if (other) throw new InvalidInputError({ [other]: ['The kind of a trigger cannot change.'] });
      const sealed = this.#open(trigger);
      const stored = { hasSecret: sealed !== null && sealed.secret !== null, at: trigger.schedule?.at ?? null };
      const checked = await this.#check(sql, workflow, request, stored);
      if (isRescheduled(trigger, request)) await this.#logDropped(sql, id);
      await queryBuilder<TriggerTables>(sql)
        .updateTable('workflow_trigger')
        .set({
          ...changesOf(trigger, request, checked),
          ...(webhook?.secret && sealed ? this.#secretsOf(id, sealed.token, webhook.secret) : {}),
          // The runs belong to the last person who changed the trigger.
          ...(viewer.userId ? { user_id: viewer.userId } : {}),
        })
        .where('id', '=', id)
        .execute();
      await this.#audit(sql, viewer, 'trigger.update', { id, projectId, members: Object.keys(request) });
    });
    return readTrigger(this.database, id);
  }

  /** Gives a webhook, form or chat a new address. The old one returns 404. */
  async rotate(viewer: Viewer, id: number): Promise<WorkflowTrigger> {
    await this.database.transaction(async sql => {
      const { trigger } = await this.#lock(sql, viewer, id);
      const sealed = this.#open(trigger);
      if (!sealed || isForMembers(trigger))
        throw new ConflictError('Only webhooks and public forms and chats have a secret address.');
      await queryBuilder<TriggerTables>(sql)
        .updateTable('workflow_trigger')
        .set({ ...this.#secretsOf(id, createToken(), sealed.secret), updated_at: NOW })
        .where('id', '=', id)
        .execute();
      await this.#audit(sql, viewer, 'trigger.rotate', { id, projectId: trigger.projectId });
    });
    return readTrigger(this.database, id);
  }

  /** Deletes a trigger with its log. Its runs stay. Returns its last state. */
  async delete(viewer: Viewer, id: number): Promise<WorkflowTrigger> {
    return this.database.transaction(async sql => {
      const trigger = await this.#locate(sql, viewer, id, 'trigger.delete');
      await queryBuilder<TriggerTables>(sql).deleteFrom('workflow_trigger').where('id', '=', id).execute();
      await this.#audit(sql, viewer, 'trigger.delete', { id, projectId: trigger.projectId });
      return trigger;
    });
  }

  /**
   * The path of a webhook, form or chat. Null for other kinds, and for a path with a token if the viewer may not change
   * triggers. The triggers of a list share one query.
   */
  async pathOf(context: RequestContext, trigger: WorkflowTrigger | ListedTrigger): Promise<string | null> {
    const { id, projectId } = trigger;
    if (isForMembers(trigger)) return `/projects/${projectId}/${pathSegmentOf(trigger)}/${id}`;
    const sealed = this.#open(trigger);
    if (!sealed) return null;
    const { viewer } = context;
    const roles = context.loader(
      'trigger.roles',
      () => new DataLoader<number, ProjectRole | null>(ids => this.access.rolesIn(viewer, ids)),
    );
    const role = await roles.load(projectId);
    return role !== null && isAllowed(role, 'trigger.update') ? `/${pathSegmentOf(trigger)}/${sealed.token}` : null;
  }

  async #locate(sql: Sql, viewer: Viewer, id: number, action: Action): Promise<WorkflowTrigger> {
    const row = await findTrigger(sql, id);
    if (!row) throw new NotFoundError();
    await this.access.authorize(viewer, row.projectId, action, sql);
    return toTrigger(row);
  }

  /**
   * Locks the workflow of a trigger, which serializes changes of its triggers, and returns both as they are under the lock.
   * Otherwise a concurrent rotation and update of a webhook could each write back the old secret or token of the other.
   */
  async #lock(sql: Sql, viewer: Viewer, id: number): Promise<{ trigger: WorkflowTrigger; workflow: LocatedWorkflow }> {
    const { workflowId } = await this.#locate(sql, viewer, id, 'trigger.update');
    const workflow = await locateWorkflow(sql, viewer, workflowId, 'trigger.update', { lock: true });
    return { workflow, trigger: await this.#locate(sql, viewer, id, 'trigger.update') };
  }

  async #check(
    sql: Sql,
    workflow: LocatedWorkflow,
    request: WorkflowTriggerUpdateInput,
    stored: { hasSecret: boolean; at: Date | null },
  ): Promise<CheckedSettings> {
    const faults = new Faults();
    if (request.name !== undefined) faults.text('name', request.name, { min: 1, max: 255 });
    const schedule = request.schedule ? checkSchedule(request.schedule, stored.at, faults) : undefined;
    const webhook = request.webhook ? checkWebhook(request.webhook, stored.hasSecret, faults) : undefined;
    const event = request.event ? checkEvent(request.event, faults) : undefined;
    const failure = request.failure ? await checkFailure(sql, request.failure, workflow, faults) : undefined;
    const form = request.form ? checkForm(request.form, faults) : undefined;
    const chat = request.chat ? checkChat(request.chat, faults) : undefined;
    const { fields } = await this.revisions.get(workflow.runnableRevisionId ?? workflow.savedRevisionId, sql);
    const secretFields = fields.filter(field => field.is_secret).map(field => field.id);
    const input = checkInput(request.input, secretFields, faults);
    const environment = toStoredEnvironment(request.environment);
    if (!(await this.environments.hasEnvironment(workflow.projectId, environment, sql)))
      faults.add('environment', 'The project has no environment with this name.');
    faults.throwIfAny();
    return { schedule, webhook, event, failure, form, chat, input };
  }

  /** The row is locked, so that no process starts an occurrence meanwhile. */
  async #logDropped(sql: Sql, id: number): Promise<void> {
    const stored = await selectTriggers(sql).where('t.id', '=', id).forUpdate('t').executeTakeFirst();
    if (stored) await this.starts.insertFirings(sql, droppedOccurrences(stored, 'The trigger was changed.'));
  }

  #open({ id, sealed }: Pick<WorkflowTrigger, 'id' | 'sealed'>): TriggerSecrets | null {
    return sealed === null ? null : (JSON.parse(this.vault.open(sealed, sealContextOf(id))) as TriggerSecrets);
  }

  #secretsOf(id: number, token: string, secret: string | null) {
    const sealed: TriggerSecrets = { token, secret };
    return {
      token_digest: this.vault.digest(token),
      sealed: this.vault.seal(JSON.stringify(sealed), sealContextOf(id)),
    };
  }

  async #audit(
    sql: Sql,
    viewer: Viewer,
    action: string,
    { id, projectId, ...detail }: { id: number; projectId: number; members?: string[] },
  ): Promise<void> {
    await recordAuditEvent(sql, viewer, { action, object: { type: 'trigger', id }, projectId, detail });
  }
}

/** The kinds whose settings an input has. A kind is also the name of the member with its settings. */
function kindsOf(request: WorkflowTriggerUpdateInput): TriggerKind[] {
  return TRIGGER_KINDS.filter(kind => (request[kind] ?? null) !== null);
}

/** The columns that an update sets, without secrets. */
function changesOf(trigger: WorkflowTrigger, request: WorkflowTriggerUpdateInput, checked: CheckedSettings) {
  const isEnabled = request.isEnabled ?? trigger.isEnabled;
  const settings = TRIGGER_KINDS.map(kind => checked[kind]).find(each => each !== undefined);
  const stored = scheduleSettingsOf(trigger);
  const schedule = isEnabled && !trigger.isPaused ? (checked.schedule ?? stored) : undefined;
  const isNewTime = schedule?.at !== stored?.at;
  return {
    ...{ is_enabled: isEnabled, updated_at: NOW },
    ...(request.name == null ? {} : { name: request.name.trim() }),
    ...(request.input === undefined ? {} : { input: JSON.stringify(checked.input) }),
    ...(request.environment === undefined ? {} : { environment: toStoredEnvironment(request.environment) }),
    ...(settings ? { settings: JSON.stringify(settings) } : {}),
    ...(isRescheduled(trigger, request)
      ? { ...nextStartColumns(trigger.id, schedule, isNewTime), waiting_at: null }
      : {}),
  };
}

/** Whether an update computes the next start of a schedule anew. */
function isRescheduled({ isEnabled }: WorkflowTrigger, request: WorkflowTriggerUpdateInput): boolean {
  return (request.schedule ?? null) !== null || (request.isEnabled ?? isEnabled) !== isEnabled;
}

function isForMembers(trigger: WorkflowTrigger | ListedTrigger): boolean {
  const access = 'access' in trigger ? trigger.access : (trigger.form ?? trigger.chat)?.access;
  return access === TriggerFormAccess.MEMBERS;
}

function pathSegmentOf({ kind }: Pick<WorkflowTrigger, 'kind'>): string {
  return kind === WorkflowTriggerKind.FORM ? 'forms' : kind === WorkflowTriggerKind.CHAT ? 'chats' : 'hooks';
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

import { isObject } from '../../../engine/json-value.js';
import { type InputField, prepareInput } from '../../../engine/workflow/graph/input-fields.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { RunWaiter } from '../../workflow-runs/history/run-waiter.js';
import { findTrigger, type StoredTrigger } from '../stored-trigger.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { isFailedReply, replyOf } from '../webhook/run-reply.js';
import type { FormOpener, OpenForm } from './form-opener.js';
import { toForm } from './form-settings.js';
import { TriggerFormAccess } from './form-trigger.type.js';
import type { MemberForm, MemberFormAnswer, MemberFormSubmission } from './member-form.type.js';

/** Forms for members of the project, who are signed in. Their runs belong to the user of the trigger. */
export class MemberForms {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly opener: FormOpener,
    private readonly starts: TriggerStarts,
    private readonly waiter: RunWaiter,
  ) {}

  /** @throws NotFoundError, and ConflictError if the trigger is no form for members or the form is closed */
  async get(viewer: Viewer, id: number): Promise<MemberForm> {
    const { title, settings, fields } = await this.#open(await this.#locate(viewer, id));
    const { description, submitLabel } = settings;
    return { title, description, submitLabel, fields: fields.map(withoutSecretDefault) };
  }

  /** Starts a run with a submission. A repeated submission starts no second run. */
  async submit(
    context: RequestContext,
    id: number,
    { submissionId, input }: MemberFormSubmission,
  ): Promise<MemberFormAnswer> {
    const { viewer } = context;
    const form = await this.#open(await this.#locate(viewer, id));
    const { trigger, settings } = form;
    const runId = derivedUuid(`member-form ${id} ${viewer.userId} ${submissionId}`);
    const start = await this.starts.start(trigger, checkedValues(form.fields, input), runId);
    await this.database.transaction(async sql => {
      const isNew = await this.starts.recordOnce(runId, { triggerId: id, ...start }, sql);
      if (!isNew || start.outcome === 'refused') return;
      await recordAuditEvent(sql, viewer, {
        ...{ action: 'form.submit', object: { type: 'trigger', id }, projectId: trigger.projectId },
        detail: { runId },
      });
    });
    if (start.outcome === 'refused') throw new ConflictError(start.reason);
    const answer = { runId, thanks: settings.thanks, result: null, hasFailed: false };
    if (!settings.showsResult) return answer;
    context.onWait();
    const awaited = await this.waiter.wait(form.viewer, runId, settings.waitSeconds, context.signal);
    const reply = replyOf(runId, awaited);
    if (reply && isFailedReply(reply)) return { ...answer, hasFailed: true };
    return { ...answer, result: reply?.body ?? null };
  }

  async #locate(viewer: Viewer, id: number): Promise<StoredTrigger> {
    const trigger = await findTrigger(this.database, id);
    if (!trigger) throw new NotFoundError();
    await this.access.authorize(viewer, trigger.projectId, 'form.submit');
    return trigger;
  }

  async #open(trigger: StoredTrigger): Promise<OpenForm> {
    if (trigger.kind !== 'form' || toForm(trigger.settings).access !== TriggerFormAccess.MEMBERS)
      throw new ConflictError('This trigger is not a form for members.');
    const form = await this.opener.open(trigger);
    if (!form) throw new ConflictError('This form is closed.');
    return form;
  }
}

/** Returns the checked values of the fields of the form. A submission does not replace fixed values of the trigger. */
function checkedValues(fields: readonly InputField[], input: unknown): Record<string, unknown> {
  if (!isObject(input) || isUnstorableJson(input))
    throw new InvalidInputError({
      'submission.input': [`The input must be a JSON object, nested at most ${MAX_JSON_DEPTH} levels deep.`],
    });
  const ids = new Set(fields.map(({ id }) => id));
  const values = Object.fromEntries(Object.entries(input).filter(([id]) => ids.has(id)));
  const faults = new Faults();
  for (const field of fields)
    for (const { message } of prepareInput([field], values, {}).faults)
      faults.add(`submission.input.${field.id}`, message);
  faults.throwIfAny();
  return values;
}

function withoutSecretDefault(field: InputField): unknown {
  return field.is_secret ? { ...field, default_value: '' } : field;
}

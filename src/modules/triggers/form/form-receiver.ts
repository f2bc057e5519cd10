import { randomUUID } from 'node:crypto';
import { setOwn } from '../../../engine/json-value.js';
import { type InputField, prepareInput } from '../../../engine/workflow/graph/input-fields.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import { derivedUuid } from '../../../platform/crypto/uuid.js';
import { PayloadTooLargeError } from '../../../platform/errors/errors.js';
import type { RunFiles } from '../../files/run-files.js';
import type { RunWaiter } from '../../workflow-runs/history/run-waiter.js';
import type { StoredTrigger } from '../stored-trigger.js';
import type { TriggerAddresses } from '../trigger-addresses.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { type FormMember, readMultipart } from '../webhook/multipart-body.js';
import { isFailedReply, replyOf } from '../webhook/run-reply.js';
import { type FormOpener, type OpenForm, titleOf } from './form-opener.js';
import { renderFormPage, renderTextPage, SUBMISSION_FIELD } from './form-page.js';
import { toForm } from './form-settings.js';
import { TriggerFormAccess } from './form-trigger.type.js';
import { valuesOf } from './form-values.js';

/** A submission of a form. */
export interface FormSubmission {
  contentType: string;
  body: Buffer;
  /** Called before the submission waits for its run, so that it no longer counts towards the concurrency limit. */
  onWait: () => void;
  /** Aborted when the browser disconnects. */
  signal: AbortSignalLike;
}

/** The response to a request of a browser. */
export interface FormAnswer {
  status: number;
  html: string;
}

const SUBMISSION_ID = /^[0-9a-f-]{36}$/;
const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** Shows the forms of triggers and starts the runs of their submissions. */
export class FormReceiver {
  constructor(
    private readonly addresses: TriggerAddresses,
    private readonly starts: TriggerStarts,
    private readonly waiter: RunWaiter,
    private readonly files: Pick<RunFiles, 'receive' | 'keep' | 'discard'>,
    private readonly opener: FormOpener,
  ) {}

  /** Returns the page of a form. */
  async show(token: string): Promise<FormAnswer> {
    const form = await this.#open(token);
    return 'html' in form ? form : { status: 200, html: this.#page(form, {}, NO_FAULTS, randomUUID()) };
  }

  /** Starts a run with a submission. A repeated submission starts no second run. */
  async submit(token: string, submission: FormSubmission): Promise<FormAnswer> {
    const form = await this.#open(token);
    if ('html' in form) return form;
    const { trigger, fields } = form;
    const members = await readMembers(submission);
    if (typeof members === 'string') return this.#reject(form, {}, new Map([['', members]]), randomUUID());
    const sent = members.find(({ name }) => name === SUBMISSION_FIELD)?.value;
    const id = typeof sent === 'string' && SUBMISSION_ID.test(sent) ? sent : randomUUID();
    const runId = derivedUuid(`form ${trigger.id} ${id}`);
    const values = valuesOf(fields, members);
    const faults = faultsOf(fields, values);
    if (faults.size > 0) return this.#reject(form, values, faults, id);
    try {
      return await this.#start(form, values, runId, submission);
    } catch (error) {
      if (!(error instanceof PayloadTooLargeError)) throw error;
      return this.#reject(form, values, new Map([['', error.message]]), id);
    }
  }

  async #start(form: OpenForm, values: Record<string, unknown>, runId: string, submission: FormSubmission) {
    const { trigger, settings, title } = form;
    const { input, fileIds } = await this.#storeFiles(trigger, values, runId);
    const start = await this.starts.start(trigger, input, runId);
    if (fileIds.length > 0) await this.files.keep(trigger.projectId, fileIds, runId);
    await this.starts.recordOnce(runId, { triggerId: trigger.id, ...start });
    if (start.outcome === 'refused') {
      // With the same id, a corrected submission would get the refusal of this run again.
      const html = this.#page(form, values, new Map([['', start.reason]]), randomUUID());
      return { status: 422, html };
    }
    if (!settings.showsResult) return { status: 200, html: renderTextPage(title, settings.thanks) };
    submission.onWait();
    const awaited = await this.waiter.wait(form.viewer, runId, settings.waitSeconds, submission.signal);
    const reply = replyOf(runId, awaited);
    if (!reply) return { status: 200, html: renderTextPage(title, `${settings.thanks}\nThe result is not ready yet.`) };
    if (isFailedReply(reply))
      return { status: 200, html: renderTextPage(title, 'The run failed, so there is no result.') };
    const { body } = reply;
    const result = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
    return { status: 200, html: renderTextPage(title, settings.thanks, result) };
  }

  async #storeFiles({ projectId }: StoredTrigger, values: Record<string, unknown>, runId: string) {
    const input: Record<string, unknown> = {};
    const fileIds: string[] = [];
    try {
      for (const [name, value] of Object.entries(values)) {
        if (!isFile(value)) {
          setOwn(input, name, value);
          continue;
        }
        const reference = await this.files.receive(projectId, value, `form ${runId} ${name}`);
        fileIds.push(reference.file_id);
        setOwn(input, name, reference);
      }
    } catch (error) {
      if (fileIds.length > 0) await this.files.discard(projectId, fileIds);
      throw error;
    }
    return { input, fileIds };
  }

  async #open(token: string): Promise<OpenForm | FormAnswer> {
    const trigger = await this.addresses.find('form', token);
    // A form for members has its own screen.
    if (!trigger || toForm(trigger.settings).access !== TriggerFormAccess.PUBLIC)
      return { status: 404, html: renderTextPage('Not found', 'No form has this address.') };
    const form = await this.opener.open(trigger);
    return form ?? { status: 409, html: renderTextPage(titleOf(trigger), 'This form is closed.') };
  }

  /** Records a submission with faults and returns the page that shows them. */
  async #reject(form: OpenForm, values: Record<string, unknown>, faults: ReadonlyMap<string, string>, id: string) {
    const reason = [...faults].map(([field, message]) => (field === '' ? message : `${field}: ${message}`)).join('; ');
    await this.starts.record({ triggerId: form.trigger.id, outcome: 'rejected', reason });
    return { status: 400, html: this.#page(form, values, faults, id) };
  }

  #page(
    { settings, title, fields }: OpenForm,
    values: Record<string, unknown>,
    faults: ReadonlyMap<string, string>,
    submission: string,
  ): string {
    const { description, submitLabel } = settings;
    return renderFormPage({ title, description, submitLabel, fields, values, faults, submission });
  }
}

/** Returns the members of a submission, or why it cannot be read. */
async function readMembers({ contentType, body }: FormSubmission): Promise<FormMember[] | string> {
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) return 'Send the form as multipart/form-data.';
  try {
    return await readMultipart(contentType, body);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Messages by field. Only the presence of a file is checked: a valid URL of a file field replaces it. */
function faultsOf(fields: readonly InputField[], values: Record<string, unknown>): ReadonlyMap<string, string> {
  const checked = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isFile(value) ? 'https://file.example' : value]),
  );
  return new Map(
    fields.flatMap(field => {
      const [fault] = prepareInput([field], checked, {}).faults;
      return fault === undefined ? [] : [[field.id, fault.message] as const];
    }),
  );
}

function isFile(value: unknown): value is Exclude<FormMember['value'], string> {
  return typeof value === 'object' && value !== null && (value as { bytes?: unknown }).bytes instanceof Uint8Array;
}

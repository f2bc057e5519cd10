import { isObject } from '../../engine/json-value.js';
import { Faults, isUnstorableJson, MAX_JSON_DEPTH } from '../../platform/errors/fields.js';
import { checkMapping, MAX_INPUT_CHARACTERS } from './mapping.js';
import { withStart } from './schedule/recurrence.js';
import { isTimeZone, pastTimeFault, scheduleFault } from './schedule/schedule.js';
import type { TriggerScheduleInput, TriggerWebhookInput } from './workflow-trigger.inputs.js';
import {
  TriggerMissed,
  TriggerOverlap,
  type TriggerSchedule,
  type TriggerWebhook,
  WebhookReply,
  WebhookVerification,
} from './workflow-trigger.type.js';

/** The stored settings of a webhook. */
export type WebhookSettings = TriggerWebhook;
/** The stored settings of a schedule; `at` is an ISO text. */
export interface ScheduleSettings extends Omit<TriggerSchedule, 'at'> {
  at: string | null;
}

/** The largest body that a webhook accepts, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
interface ScheduleDefaults extends Omit<ScheduleSettings, 'at'> {
  at: Date | null;
}
const SCHEDULE_DEFAULTS: ScheduleDefaults = {
  ...{ cron: null, rrule: null, at: null, timeZone: 'UTC', jitterSeconds: 0, maxMissed: 10 },
  ...{ overlap: TriggerOverlap.SKIP, missed: TriggerMissed.ONE },
};
interface WebhookDefaults extends Omit<WebhookSettings, 'headerName'> {
  headerName: string;
  secret: string | null;
}
const WEBHOOK_DEFAULTS: WebhookDefaults = {
  ...{ methods: ['POST'], verification: WebhookVerification.NONE, headerName: 'X-Webhook-Token', secret: null },
  ...{ toleranceSeconds: 300, maxBodyBytes: MAX_BODY_BYTES, waitSeconds: 30 },
  ...{ reply: WebhookReply.ACCEPTED, mapping: null },
};
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/;
const MAX_SECRET_CHARACTERS = 1_024;
/** The members that a mapping may refer to. */
const CALL_MEMBERS = ['body', 'headers', 'query', 'method'];

/**
 * Checks the settings of a schedule and returns them as they are stored. Faults are added with the prefix `schedule.`.
 * `storedAt`: the single time that is stored. It may have passed, a new one may not.
 */
export function checkSchedule(input: TriggerScheduleInput, storedAt: Date | null, faults: Faults): ScheduleSettings {
  const { at, ...given } = withDefaults<ScheduleDefaults>(input, SCHEDULE_DEFAULTS);
  const own = new Faults();
  const settings = { ...given, rrule: ruleOf(given) };
  const fault = scheduleFault({ ...settings, at });
  if (fault) own.add(fault.member, fault.message);
  const pastFault = at !== null && at.getTime() !== storedAt?.getTime() ? pastTimeFault(at, new Date()) : null;
  if (pastFault !== null) own.add('at', pastFault);
  own.integer('jitterSeconds', settings.jitterSeconds, { min: 0, max: 3_600 });
  own.integer('maxMissed', settings.maxMissed, { min: 1, max: 100 });
  faults.addWithin('schedule', own);
  return { ...settings, at: at?.toISOString() ?? null };
}

/** The rule of a schedule with its first time. A zone that cannot be used is reported with the schedule. */
function ruleOf({ rrule, timeZone }: Pick<ScheduleDefaults, 'rrule' | 'timeZone'>): string | null {
  return rrule === null || !isTimeZone(timeZone) ? rrule : withStart(rrule, timeZone, new Date());
}

/** Checks the settings of a webhook and returns them as they are stored, without the secret. `hasSecret`: a secret is stored already. */
export function checkWebhook(input: TriggerWebhookInput, hasSecret: boolean, faults: Faults): WebhookSettings {
  const { secret, ...settings } = withDefaults<WebhookDefaults>(input, WEBHOOK_DEFAULTS);
  const own = new Faults();
  const methods = [...new Set(settings.methods.map(method => method.toUpperCase()))];
  if (methods.length === 0 || methods.some(method => !METHODS.includes(method)))
    own.add('methods', `Use one or more of ${METHODS.join(', ')}.`);
  if (!HEADER_NAME.test(settings.headerName)) own.add('headerName', 'Use 1-64 letters, digits and hyphens.');
  checkSecret(settings.verification, secret, hasSecret, own);
  own.integer('toleranceSeconds', settings.toleranceSeconds, { min: 1, max: 3_600 });
  own.integer('maxBodyBytes', settings.maxBodyBytes, { min: 1, max: MAX_BODY_BYTES });
  own.integer('waitSeconds', settings.waitSeconds, { min: 1, max: 60 });
  if (settings.mapping !== null) checkMapping(settings.mapping, CALL_MEMBERS, own);
  faults.addWithin('webhook', own);
  const usesHeader = settings.verification === WebhookVerification.HEADER;
  return { ...settings, methods, headerName: usesHeader ? settings.headerName : null };
}

function checkSecret(
  verification: WebhookVerification,
  secret: string | null,
  hasSecret: boolean,
  faults: Faults,
): void {
  faults.text('secret', secret ?? undefined, { min: 1, max: MAX_SECRET_CHARACTERS });
  if (verification !== WebhookVerification.NONE && secret === null && !hasSecret)
    faults.add('secret', 'This verification requires a secret.');
  if (verification === WebhookVerification.BASIC && secret !== null && !secret.includes(':'))
    faults.add('secret', 'Use the form user:password.');
}

/** Replaces absent and null members by their defaults. */
export function withDefaults<Settings extends object>(input: object, defaults: Settings): Settings {
  const given = Object.entries(input).filter(([name, value]) => name in defaults && (value ?? null) !== null);
  return { ...defaults, ...(Object.fromEntries(given) as Partial<Settings>) };
}

/** Checks the fixed input of runs. `secretFields`: ids of the secret fields of the workflow. */
export function checkInput(input: unknown, secretFields: readonly string[], faults: Faults): Record<string, unknown> {
  if (input === undefined || input === null) return {};
  if (!isObject(input) || isUnstorableJson(input)) {
    faults.add('input', `The input must be a JSON object, nested at most ${MAX_JSON_DEPTH} levels deep.`);
    return {};
  }
  if (JSON.stringify(input).length > MAX_INPUT_CHARACTERS)
    faults.add('input', `Ensure this object has no more than ${MAX_INPUT_CHARACTERS} characters as JSON.`);
  for (const id of secretFields)
    if (Object.hasOwn(input, id))
      faults.add('input', `The field ${id} is secret: give it a default value in the workflow instead.`);
  return input;
}

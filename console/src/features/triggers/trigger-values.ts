import { DEFAULT_ENVIRONMENT } from '@/shared/project/environments';
import type {
  TriggerDetailFragment,
  TriggerEventInput,
  TriggerScheduleInput,
  TriggerWebhookInput,
  WorkflowTriggerUpdateInput,
} from './triggers.generated';

export type TriggerKind = TriggerDetailFragment['kind'];

type TriggerForm = NonNullable<TriggerDetailFragment['form']>;
type TriggerChat = NonNullable<TriggerDetailFragment['chat']>;

/** The values of the dialog. Its members have the names of the input members, so that errors of the service appear at their fields. */
export interface TriggerValues {
  workflowId: string | null;
  name: string;
  /** A JSON object as text. */
  input: string;
  /** Null: the default environment. */
  environment: string | null;
  schedule: {
    /** The source of the times. */
    times: 'CRON' | 'RULE' | 'ONCE';
    cron: string;
    rrule: string;
    /** In the zone of the browser, as a field of the type `datetime-local` has it. */
    at: string;
    /** The stored time, which the field shows to the minute. Null: there is none. */
    storedAt: string | null;
    timeZone: string;
    overlap: NonNullable<TriggerScheduleInput['overlap']>;
    missed: NonNullable<TriggerScheduleInput['missed']>;
    maxMissed: number;
    jitterSeconds: number;
  };
  webhook: {
    verification: NonNullable<TriggerWebhookInput['verification']>;
    headerName: string;
    secret: string;
    methods: string[];
    reply: NonNullable<TriggerWebhookInput['reply']>;
    waitSeconds: number;
    toleranceSeconds: number;
    maxBodyBytes: number;
    /** A JSON object as text. Empty: the whole call. */
    mapping: string;
  };
  event: {
    name: string;
    /** Empty: any key. */
    correlationKey: string;
    /** A JSON object as text. Empty: the whole event. */
    mapping: string;
  };
  form: Omit<Required<TriggerForm>, '__typename'>;
  chat: Omit<Required<TriggerChat>, '__typename' | 'mapping'> & {
    /** A JSON object as text. Empty: all members. */
    mapping: string;
  };
  failure: {
    /** Ids as texts. Empty: all other workflows. */
    workflowIds: string[];
  };
}

/** The cache adds the name of the type, which no input has. */
function withoutType<T extends object>(value: T | null | undefined): T | undefined {
  if (!value) return undefined;
  const { __typename: _, ...rest } = value as T & { __typename?: string };
  return rest as unknown as T;
}

export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The values of a stored trigger, or the defaults of a new one. */
export function toValues(trigger: TriggerDetailFragment | null, workflowId: number | null): TriggerValues {
  const schedule = withoutType(trigger?.schedule);
  const webhook = withoutType(trigger?.webhook);
  const { mapping = null, headerName, ...storedWebhook } = webhook ?? {};
  const { at = null, cron, rrule = null, ...storedSchedule } = schedule ?? {};
  return {
    workflowId: workflowId === null ? null : String(workflowId),
    name: trigger?.name ?? '',
    input: JSON.stringify(trigger?.input ?? {}, null, 2),
    environment: !trigger || trigger.environment === DEFAULT_ENVIRONMENT ? null : trigger.environment,
    schedule: {
      timeZone: browserZone(),
      overlap: 'SKIP',
      missed: 'ONE',
      maxMissed: 10,
      jitterSeconds: 0,
      ...storedSchedule,
      times: at !== null ? 'ONCE' : rrule !== null ? 'RULE' : 'CRON',
      cron: cron ?? '0 9 * * 1-5',
      rrule: rrule ?? '',
      at: at === null ? '' : toLocal(at),
      storedAt: at,
    },
    webhook: {
      verification: 'NONE',
      methods: ['POST'],
      reply: 'ACCEPTED',
      waitSeconds: 30,
      toleranceSeconds: 300,
      maxBodyBytes: 1_048_576,
      ...storedWebhook,
      secret: '',
      headerName: headerName ?? 'X-Webhook-Token',
      mapping: toText(mapping),
    },
    event: {
      name: trigger?.event?.name ?? '',
      correlationKey: trigger?.event?.correlationKey ?? '',
      mapping: toText(trigger?.event?.mapping ?? null),
    },
    form: {
      title: '',
      description: '',
      submitLabel: 'Submit',
      thanks: 'Thank you.',
      showsResult: false,
      waitSeconds: 30,
      access: 'PUBLIC' as const,
      ...withoutType(trigger?.form),
    },
    chat: {
      title: '',
      greeting: '',
      access: 'PUBLIC' as const,
      allowedOrigins: [],
      historyMessages: 20,
      waitSeconds: 60,
      showsSteps: false,
      ...withoutType(trigger?.chat),
      mapping: toText(trigger?.chat?.mapping ?? null),
    },
    failure: { workflowIds: trigger?.failure?.workflowIds.map(String) ?? [] },
  };
}

const toText = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

/** The members of a mutation. The form has checked that the texts are JSON. */
export function toInput(kind: TriggerKind, values: TriggerValues) {
  const input = {
    name: values.name.trim(),
    input: parseObject(values.input) ?? {},
    environment: values.environment,
    ...SETTINGS[kind](values),
  };
  return input satisfies WorkflowTriggerUpdateInput;
}

type Settings = Pick<WorkflowTriggerUpdateInput, 'schedule' | 'webhook' | 'event' | 'failure' | 'form' | 'chat'>;

/** The settings of each kind. A mutation has only those of the kind of the trigger. */
const SETTINGS: Record<TriggerKind, (values: TriggerValues) => Settings> = {
  SCHEDULE: values => ({ schedule: toSchedule(values) }),
  WEBHOOK: values => ({ webhook: toWebhook(values) }),
  EVENT: values => ({ event: toEvent(values) }),
  FORM: ({ form }) => ({ form }),
  CHAT: ({ chat: { mapping, ...chat } }) => ({ chat: { ...chat, mapping: parseObject(mapping) } }),
  FAILURE: ({ failure }) => ({ failure: { workflowIds: failure.workflowIds.map(Number) } }),
};

function toEvent({ event: { name, correlationKey, mapping } }: TriggerValues): TriggerEventInput {
  return {
    name: name.trim(),
    correlationKey: correlationKey === '' ? null : correlationKey,
    mapping: parseObject(mapping),
  };
}

function toSchedule({ schedule: given }: TriggerValues): TriggerScheduleInput {
  const { times, cron, rrule, at, storedAt, ...schedule } = given;
  // A time that has passed may be saved only unchanged.
  if (times === 'ONCE' && storedAt !== null && toLocal(storedAt) === at) return { ...schedule, at: storedAt };
  if (times === 'ONCE') return { ...schedule, at: new Date(at).toISOString() };
  return { ...schedule, ...(times === 'RULE' ? { rrule: rrule.trim() } : { cron: cron.trim() }) };
}

function toWebhook({ webhook: { secret, mapping, ...webhook } }: TriggerValues): TriggerWebhookInput {
  return { ...webhook, secret: secret === '' ? null : secret, mapping: parseObject(mapping) };
}

/** Validates the form. Returns messages by field. */
export function checkValues({
  workflowId,
  input,
  schedule,
  webhook,
  event,
  chat,
}: TriggerValues): Record<string, string> {
  return {
    ...(workflowId === null ? { workflowId: 'Choose a workflow.' } : {}),
    ...(isObjectText(input) ? {} : { input: 'Enter a JSON object, for example {}.' }),
    ...(schedule.times === 'ONCE' && schedule.at === '' ? { 'schedule.at': 'Choose a time.' } : {}),
    ...(isObjectText(webhook.mapping) ? {} : { 'webhook.mapping': 'Enter a JSON object, or nothing.' }),
    ...(isObjectText(event.mapping) ? {} : { 'event.mapping': 'Enter a JSON object, or nothing.' }),
    ...(isObjectText(chat.mapping) ? {} : { 'chat.mapping': 'Enter a JSON object, or nothing.' }),
  };
}

function isObjectText(text: string): boolean {
  try {
    const value = text.trim() === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const parseObject = (text: string): unknown => (text.trim() === '' ? null : JSON.parse(text));

/** A time of the API as a field of the type `datetime-local` has it, in the time zone of the browser. */
function toLocal(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

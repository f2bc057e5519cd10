import type {
  TriggerDetailFragment,
  TriggerScheduleInput,
  TriggerWebhookInput,
  WorkflowTriggerUpdateInput,
} from './triggers.generated';

/** The values of the dialog. Members of `schedule` and `webhook` have the names of the input members. */
export interface TriggerValues {
  workflowId: string | null;
  name: string;
  /** A JSON object as text. */
  input: string;
  schedule: {
    isOnce: boolean;
    cron: string;
    /** In the zone of the browser, as a field of the type `datetime-local` has it. */
    at: string;
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
  const { mapping = null, headerName, ...call } = webhook ?? {};
  const { at = null, cron, ...times } = schedule ?? {};
  return {
    workflowId: workflowId === null ? null : String(workflowId),
    name: trigger?.name ?? '',
    input: JSON.stringify(trigger?.input ?? {}, null, 2),
    schedule: {
      ...{ timeZone: browserZone(), overlap: 'SKIP', missed: 'ONE', maxMissed: 10, jitterSeconds: 0 },
      ...times,
      ...{ isOnce: at !== null, cron: cron ?? '0 9 * * 1-5', at: at === null ? '' : toLocal(at) },
    },
    webhook: {
      ...{ verification: 'NONE', methods: ['POST'], reply: 'ACCEPTED', waitSeconds: 30, toleranceSeconds: 300 },
      ...{ maxBodyBytes: 1_048_576, ...call, secret: '', headerName: headerName ?? 'X-Webhook-Token' },
      mapping: mapping === null ? '' : JSON.stringify(mapping, null, 2),
    },
  };
}

/** The members of a mutation. The form has checked that the texts are JSON. */
export function toInput(kind: 'SCHEDULE' | 'WEBHOOK', values: TriggerValues) {
  const settings = kind === 'SCHEDULE' ? { schedule: toSchedule(values) } : { webhook: toWebhook(values) };
  const input = { name: values.name.trim(), input: parseObject(values.input) ?? {}, ...settings };
  return input satisfies WorkflowTriggerUpdateInput;
}

function toSchedule({ schedule: { isOnce, cron, at, ...schedule } }: TriggerValues): TriggerScheduleInput {
  return { ...schedule, ...(isOnce ? { at: new Date(at).toISOString() } : { cron: cron.trim() }) };
}

function toWebhook({ webhook: { secret, mapping, ...webhook } }: TriggerValues): TriggerWebhookInput {
  return { ...webhook, secret: secret === '' ? null : secret, mapping: parseObject(mapping) };
}

/** Messages by field, for the form. */
export function checkValues({ workflowId, input, schedule, webhook }: TriggerValues): Record<string, string> {
  return {
    ...(workflowId === null ? { workflowId: 'Choose a workflow.' } : {}),
    ...(isObjectText(input) ? {} : { input: 'Enter a JSON object, for example {}.' }),
    ...(schedule.isOnce && schedule.at === '' ? { 'schedule.at': 'Choose a time.' } : {}),
    ...(isObjectText(webhook.mapping) ? {} : { 'webhook.mapping': 'Enter a JSON object, or nothing.' }),
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

function toLocal(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

import type { TriggerDetailFragment } from './triggers.generated';

/** Cron expressions of frequent schedules. */
export const PRESETS = [
  { value: '*/15 * * * *', label: 'Every 15 minutes' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 9 * * *', label: 'Every day at 9:00' },
  { value: '0 9 * * 1-5', label: 'Every weekday morning at 9:00' },
  { value: '0 9 * * 1', label: 'Every Monday at 9:00' },
  { value: '0 9 1 * *', label: 'On the first of each month at 9:00' },
];

/** The people who can use the page of a form or chat. */
export const PAGE_ACCESS = [
  { value: 'PUBLIC', label: 'Every person with the address' },
  { value: 'MEMBERS', label: 'Members of the project, who sign in' },
];

/** The ways in which callers of a webhook prove who they are. */
export const VERIFICATIONS = [
  { value: 'NONE', label: 'Only the secret address' },
  { value: 'HEADER', label: 'A header with a secret' },
  { value: 'BASIC', label: 'User and password (HTTP basic)' },
  { value: 'GITHUB', label: 'Signature of GitHub' },
  { value: 'STRIPE', label: 'Signature of Stripe' },
  { value: 'SLACK', label: 'Signature of Slack' },
  { value: 'STANDARD_WEBHOOKS', label: 'Signature of Standard Webhooks' },
];

/** The kinds in running text. */
export const NOUNS: Record<TriggerDetailFragment['kind'], string> = {
  SCHEDULE: 'schedule',
  WEBHOOK: 'webhook',
  EVENT: 'event trigger',
  FAILURE: 'failure trigger',
  FORM: 'form',
  CHAT: 'chat',
};

/** Describes the event that starts the runs of a trigger. */
export function describeTrigger({ schedule, webhook, event, failure, form, chat }: TriggerDetailFragment): string {
  if (form?.access === 'MEMBERS') return 'A page for members of the project';
  if (form) return form.showsResult ? 'A page that shows the result' : 'A page for people with its address';
  if (chat)
    return chat.access === 'MEMBERS' ? 'A chat for members of the project' : 'A chat for people with its address';
  if (event)
    return `Event “${event.name}”${event.correlationKey === null ? '' : ` with the key “${event.correlationKey}”`}`;
  if (failure) {
    const { length } = failure.workflowIds;
    if (length === 0) return 'Failed runs of all other workflows';
    return length === 1 ? 'Failed runs of one workflow' : `Failed runs of ${length} workflows`;
  }
  if (schedule?.at) return `Once, on ${formatTime(schedule.at)}`;
  if (schedule) {
    const preset = PRESETS.find(({ value }) => value === schedule.cron);
    const rule = schedule.rrule?.split('\n').find(line => line.startsWith('RRULE:'));
    return `${preset?.label ?? schedule.cron ?? rule ?? 'Recurrence rule'} (${schedule.timeZone})`;
  }
  const verification = VERIFICATIONS.find(({ value }) => value === webhook?.verification);
  return `${webhook?.methods.join(', ')} · ${verification?.label}`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

export const formatTime = (at: string): string => exact.format(new Date(at));

/** The arguments of curl for proofs that need no signature. */
const CURL_PROOFS: Record<string, (headerName: string) => string[]> = {
  NONE: () => [],
  HEADER: name => [`-H "${name}: $WEBHOOK_SECRET"`],
  BASIC: () => ['-u "$WEBHOOK_SECRET"'],
};

/** A curl command that calls a webhook. Null: calls need a signature, which only a program can compute. */
export function toCurl(address: string, webhook: NonNullable<TriggerDetailFragment['webhook']>): string | null {
  const proof = CURL_PROOFS[webhook.verification]?.(webhook.headerName ?? '');
  if (proof === undefined) return null;
  const [method = 'POST'] = webhook.methods;
  const body = method === 'GET' ? [] : ["-H 'Content-Type: application/json'", `-d '{"hello": "world"}'`];
  return [`curl -X ${method} '${address}'`, ...proof, ...body].join(' \\\n  ');
}

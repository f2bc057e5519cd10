import { Field, InputType, Int } from 'type-graphql';
import { DateTime, JSONValue } from '../../platform/json/scalars.js';
import { TriggerChatInput } from './chat/chat-trigger.inputs.js';
import { TriggerEventInput, TriggerFailureInput } from './events/event-trigger.inputs.js';
import { TriggerFormInput } from './form/form-trigger.inputs.js';
import { TriggerMissed, TriggerOverlap, WebhookReply, WebhookVerification } from './workflow-trigger.type.js';

@InputType({ description: 'When a schedule starts runs. Exactly one of `cron`, `rrule` and `at` is required.' })
export class TriggerScheduleInput {
  @Field(() => String, {
    nullable: true,
    description:
      'Cron expression with five fields (minute hour day month weekday), or six with seconds first. Example: `30 9 * * 1-5`.',
  })
  cron?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Recurrence rule of RFC 5545, at most 500 characters: lines `DTSTART`, `RRULE`, `EXDATE` and `RDATE`. Without `DTSTART` it begins now. A local time that a change to summer time skips does not occur. Example: `FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0`.',
  })
  rrule?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Time of the only occurrence. A new one may not be past.' })
  at?: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Time zone of `cron` and of times in `rrule` without one. An occurrence of `cron` that a daylight-saving transition skips is moved forward by the transition; of one that occurs twice only the first counts. Default: `UTC`.',
  })
  timeZone?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Each run starts up to this many seconds late, 0-3600. Default: 0.',
  })
  jitterSeconds?: number | null;

  @Field(() => TriggerOverlap, {
    nullable: true,
    description: 'When the previous run has not ended. Default: `SKIP`.',
  })
  overlap?: TriggerOverlap | null;

  @Field(() => TriggerMissed, { nullable: true, description: 'The action for missed occurrences. Default: `ONE`.' })
  missed?: TriggerMissed | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most missed occurrences that `ALL` starts, 1-100. Default: 10.',
  })
  maxMissed?: number | null;
}

@InputType({ description: 'How a webhook receives calls.' })
export class TriggerWebhookInput {
  @Field(() => [String], {
    nullable: true,
    description: 'Permitted HTTP methods, 1-5 of GET, POST, PUT, PATCH and DELETE. Default: `POST`.',
  })
  methods?: string[] | null;

  @Field(() => WebhookVerification, {
    nullable: true,
    description: 'How a call proves its sender. Default: `NONE`.',
  })
  verification?: WebhookVerification | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the header that the verification `HEADER` compares. Default: `X-Webhook-Token`.',
  })
  headerName?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Secret of the verification, at most 1,024 characters; never shown again. Required unless the verification is `NONE`. In an update, null keeps the stored secret.',
  })
  secret?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum age in seconds of signatures with a time, 1-3600. Default: 300.',
  })
  toleranceSeconds?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum size of a body in bytes, 1-1,048,576. Default: 1,048,576.',
  })
  maxBodyBytes?: number | null;

  @Field(() => WebhookReply, { nullable: true, description: 'The response to a call. Default: `ACCEPTED`.' })
  reply?: WebhookReply | null;

  @Field(() => Int, { nullable: true, description: 'Maximum wait for the reply in seconds, 1-60. Default: 30.' })
  waitSeconds?: number | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Input of the run as JSON object with placeholders, see `TriggerWebhook.mapping`. Default: the whole call.',
  })
  mapping?: unknown;
}

@InputType({
  description:
    'A new trigger. Exactly one of `schedule`, `webhook`, `event`, `failure`, `form` and `chat` is required.',
})
export class WorkflowTriggerCreateInput {
  @Field(() => Int, { description: 'Id of the workflow.' })
  workflowId!: number;

  @Field(() => String, { description: 'Name of the trigger, 1-255 characters.' })
  name!: string;

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether the trigger is created enabled. If false, it starts no runs until it is enabled.',
  })
  isEnabled!: boolean;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Fixed input of every run by field id, a JSON object of at most 64 KB. Input from a call, event, form or chat, such as that of a mapping, replaces members of the same name. Secret fields are not permitted: give them a default value.',
  })
  input?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of an environment of the project, whose values of project variables the runs use. Default: `production`.',
  })
  environment?: string | null;

  @Field(() => TriggerScheduleInput, { nullable: true, description: 'Makes the trigger a schedule.' })
  schedule?: TriggerScheduleInput | null;

  @Field(() => TriggerWebhookInput, { nullable: true, description: 'Makes the trigger a webhook.' })
  webhook?: TriggerWebhookInput | null;

  @Field(() => TriggerEventInput, { nullable: true, description: 'Starts runs for events of the project.' })
  event?: TriggerEventInput | null;

  @Field(() => TriggerFailureInput, { nullable: true, description: 'Starts runs for failed runs of the project.' })
  failure?: TriggerFailureInput | null;

  @Field(() => TriggerFormInput, { nullable: true, description: 'Makes the trigger a form.' })
  form?: TriggerFormInput | null;

  @Field(() => TriggerChatInput, { nullable: true, description: 'Makes the trigger a chat.' })
  chat?: TriggerChatInput | null;
}

@InputType({ description: 'Changes of a trigger. Absent members stay as they are. The kind cannot change.' })
export class WorkflowTriggerUpdateInput {
  @Field(() => String, { nullable: true, description: 'New name, 1-255 characters.' })
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it starts runs. Occurrences while it is disabled are not missed, they do not exist.',
  })
  isEnabled?: boolean | null;

  @Field(() => JSONValue, { nullable: true, description: 'New fixed input; replaces the old one.' })
  input?: unknown;

  @Field(() => String, { nullable: true, description: 'New environment of the runs. Null: `production`.' })
  environment?: string | null;

  @Field(() => TriggerScheduleInput, {
    nullable: true,
    description: 'New settings of a schedule; replace all old ones.',
  })
  schedule?: TriggerScheduleInput | null;

  @Field(() => TriggerWebhookInput, { nullable: true, description: 'New settings of a webhook; replace all old ones.' })
  webhook?: TriggerWebhookInput | null;

  @Field(() => TriggerEventInput, {
    nullable: true,
    description: 'New settings of an event trigger; replace all old ones.',
  })
  event?: TriggerEventInput | null;

  @Field(() => TriggerFailureInput, {
    nullable: true,
    description: 'New settings of a failure trigger; replace all old ones.',
  })
  failure?: TriggerFailureInput | null;

  @Field(() => TriggerFormInput, { nullable: true, description: 'New settings of a form; replace all old ones.' })
  form?: TriggerFormInput | null;

  @Field(() => TriggerChatInput, { nullable: true, description: 'New settings of a chat; replace all old ones.' })
  chat?: TriggerChatInput | null;
}

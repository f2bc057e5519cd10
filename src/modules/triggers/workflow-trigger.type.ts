import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import type { TriggerChat } from './chat/chat-trigger.type.js';
import type { TriggerEvent, TriggerFailure } from './events/event-trigger.type.js';
import type { TriggerForm } from './form/form-trigger.type.js';

export enum WorkflowTriggerKind {
  SCHEDULE = 'schedule',
  WEBHOOK = 'webhook',
  EVENT = 'event',
  FAILURE = 'failure',
  FORM = 'form',
  CHAT = 'chat',
}
registerEnumType(WorkflowTriggerKind, {
  name: 'WorkflowTriggerKind',
  description: 'The event that starts the runs of a trigger.',
  valuesConfig: {
    SCHEDULE: { description: 'The time.' },
    WEBHOOK: { description: 'An HTTP request to the address of the trigger.' },
    EVENT: { description: 'An event that a caller or a run sends to the project.' },
    FAILURE: { description: 'The failure of a run of another workflow of the project.' },
    FORM: { description: 'The submission of a page with the input fields of the workflow.' },
    CHAT: { description: 'A message on a page with a conversation.' },
  },
});

export enum TriggerOverlap {
  SKIP = 'skip',
  QUEUE = 'queue',
  CANCEL_PREVIOUS = 'cancel_previous',
  ALLOW = 'allow',
}
registerEnumType(TriggerOverlap, {
  name: 'TriggerOverlap',
  description: 'The action when a schedule is due while its previous run has not ended.',
  valuesConfig: {
    SKIP: { description: 'No run starts.' },
    QUEUE: { description: 'One run waits for the end of the previous run. Further occurrences are skipped meanwhile.' },
    CANCEL_PREVIOUS: { description: 'The previous run is cancelled, and the new one starts.' },
    ALLOW: { description: 'The new run starts while the previous one continues.' },
  },
});

export enum TriggerMissed {
  SKIP = 'skip',
  ONE = 'one',
  ALL = 'all',
}
registerEnumType(TriggerMissed, {
  name: 'TriggerMissed',
  description: 'The action for occurrences that are more than 60 seconds late, for example after a failure.',
  valuesConfig: {
    SKIP: { description: 'They are skipped.' },
    ONE: { description: 'The newest one is started.' },
    ALL: { description: 'The newest `maxMissed` ones are started.' },
  },
});

export enum WebhookVerification {
  NONE = 'none',
  HEADER = 'header',
  BASIC = 'basic',
  GITHUB = 'github',
  STRIPE = 'stripe',
  SLACK = 'slack',
  STANDARD_WEBHOOKS = 'standard_webhooks',
}
registerEnumType(WebhookVerification, {
  name: 'WebhookVerification',
  description: 'How a call of a webhook proves its sender.',
  valuesConfig: {
    NONE: { description: 'Only by the address, which contains 256 random bits.' },
    HEADER: { description: 'The header `headerName` has the value of the secret.' },
    BASIC: { description: 'HTTP basic authentication; the secret is `user:password`.' },
    GITHUB: { description: 'HMAC-SHA256 of the body in `X-Hub-Signature-256`.' },
    STRIPE: { description: 'Signature with a time in `Stripe-Signature`.' },
    SLACK: { description: 'Signature in `X-Slack-Signature` with a time in `X-Slack-Request-Timestamp`.' },
    STANDARD_WEBHOOKS: {
      description: 'Signature with id and time by the specification of Standard Webhooks (`webhook-signature`).',
    },
  },
});

export enum WebhookReply {
  ACCEPTED = 'accepted',
  RESULT = 'result',
}
registerEnumType(WebhookReply, {
  name: 'WebhookReply',
  description: 'The response to a call of a webhook.',
  valuesConfig: {
    ACCEPTED: { description: 'At once with 202 and the id of the run.' },
    RESULT: {
      description:
        'With the reply of the first `respond-node`, else with the output of the run. After `waitSeconds` with 202 and the id of the run.',
    },
  },
});

export enum TriggerFiringOutcome {
  STARTED = 'started',
  SKIPPED = 'skipped',
  WAITING = 'waiting',
  REFUSED = 'refused',
  REJECTED = 'rejected',
}
registerEnumType(TriggerFiringOutcome, {
  name: 'TriggerFiringOutcome',
  description: 'The outcome of an occurrence or a call of a trigger.',
  valuesConfig: {
    STARTED: { description: 'A run was started.' },
    SKIPPED: { description: 'No run was started because of a policy or because the trigger is disabled.' },
    WAITING: { description: 'The run waits for the end of the previous run.' },
    REFUSED: { description: 'The service refused the run, for example because of its input or the spending limit.' },
    REJECTED: { description: 'The call was not verified, or its body cannot be used.' },
  },
});

@ObjectType({ description: 'When a schedule starts runs.' })
export class TriggerSchedule {
  @Field(() => String, {
    nullable: true,
    description: 'Cron expression with five fields, or six with seconds first. Null: `rrule` or `at` is set.',
  })
  cron!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Recurrence rule of RFC 5545 with its first time `DTSTART`. Null: `cron` or `at` is set.',
  })
  rrule!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'The only occurrence. Null: `cron` or `rrule` is set.' })
  at!: Date | null;

  @Field(() => String, { description: 'Time zone of `cron` and `rrule`, for example `Europe/Berlin`. Default: `UTC`.' })
  timeZone!: string;

  @Field(() => Int, { description: 'Each run starts up to this many seconds late, 0-3600. Default: 0.' })
  jitterSeconds!: number;

  @Field(() => TriggerOverlap, { description: 'When the previous run has not ended. Default: `SKIP`.' })
  overlap!: TriggerOverlap;

  @Field(() => TriggerMissed, { description: 'The action for missed occurrences. Default: `ONE`.' })
  missed!: TriggerMissed;

  @Field(() => Int, { description: 'The most missed occurrences that `ALL` starts, 1-100. Default: 10.' })
  maxMissed!: number;
}

@ObjectType({ description: 'How a webhook receives calls.' })
export class TriggerWebhook {
  @Field(() => [String], { description: 'Permitted HTTP methods, at most 5. Default: `POST`.' })
  methods!: string[];

  @Field(() => WebhookVerification, { description: 'How a call proves its sender.' })
  verification!: WebhookVerification;

  @Field(() => String, { nullable: true, description: 'Name of the header of the verification `HEADER`.' })
  headerName!: string | null;

  @Field(() => Int, {
    description: 'Maximum age in seconds of signatures with a time, 1-3600. Default: 300. Older calls are rejected.',
  })
  toleranceSeconds!: number;

  @Field(() => Int, { description: 'Maximum size of a body in bytes, 1-1,048,576. Default: 1,048,576.' })
  maxBodyBytes!: number;

  @Field(() => WebhookReply, { description: 'The response to a call. Default: `ACCEPTED`.' })
  reply!: WebhookReply;

  @Field(() => Int, { description: 'Maximum wait for the reply in seconds, 1-60. Default: 30.' })
  waitSeconds!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Input of the run as JSON with placeholders `{{ input.body… }}`, `{{ input.headers… }}`, `{{ input.query… }}` and `{{ input.method }}`. Any members are permitted, because input fields belong to the workflow. Null: the input has the members `body`, `headers`, `query` and `method`.',
  })
  mapping!: unknown;
}

@ObjectType({ description: 'A trigger that starts runs of a workflow.' })
export class WorkflowTrigger {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the workflow.' })
  workflowId!: number;

  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'Name of the trigger, 1-255 characters.' })
  name!: string;

  @Field(() => WorkflowTriggerKind, { description: 'The event that starts the runs.' })
  kind!: WorkflowTriggerKind;

  @Field(() => Boolean, { description: 'Whether the trigger starts runs.' })
  isEnabled!: boolean;

  @Field(() => Boolean, {
    description: 'Whether all triggers of the workflow are paused. No trigger of the workflow starts runs then.',
  })
  isPaused!: boolean;

  /** Field resolvers return the input and the settings, which a list loads later. */
  input!: Record<string, unknown>;

  @Field(() => String, {
    description: 'The environment whose values of project variables the runs use, such as `production`.',
  })
  environment!: string;

  schedule!: TriggerSchedule | null;

  webhook!: TriggerWebhook | null;

  event!: TriggerEvent | null;

  failure!: TriggerFailure | null;

  form!: TriggerForm | null;

  chat!: TriggerChat | null;

  /** Sealed, opened by the resolver for editors. */
  sealed!: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Next occurrence of a schedule. Null: it is not due again, is disabled, or is not a schedule.',
  })
  nextAt!: Date | null;

  @Field(() => UUID, {
    nullable: true,
    description:
      'Id of the newest run that it started. Null: none yet, and always null for webhooks, whose runs are in `firings`.',
  })
  lastRunId!: string | null;

  @Field(() => DateTime, { description: 'When the trigger was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the trigger was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'An occurrence or call of a trigger with its outcome. Deleted after 30 days.' })
export class TriggerFiring {
  @Field(() => UUID, { description: 'Unique id.' })
  id!: string;

  @Field(() => TriggerFiringOutcome, { description: 'The outcome.' })
  outcome!: TriggerFiringOutcome;

  @Field(() => DateTime, { nullable: true, description: 'Occurrence of the schedule. Null for a call.' })
  dueAt!: Date | null;

  @Field(() => UUID, { nullable: true, description: 'Id of the run. Null: no run was recorded.' })
  runId!: string | null;

  @Field(() => String, { nullable: true, description: 'Why no run was started. Null after a start.' })
  reason!: string | null;

  @Field(() => DateTime, { description: 'When it happened.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of triggers.' })
export class WorkflowTriggerPage extends pageOf(WorkflowTrigger) {}

@ObjectType({ description: 'One page of the log of a trigger.' })
export class TriggerFiringPage extends pageOf(TriggerFiring) {}

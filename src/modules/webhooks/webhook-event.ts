import { registerEnumType } from 'type-graphql';

/** The values are the types in webhooks. */
export enum WebhookEventType {
  WORKFLOW_RUN_SUCCEEDED = 'workflow_run.succeeded',
  WORKFLOW_RUN_FAILED = 'workflow_run.failed',
  WORKFLOW_RUN_CANCELLED = 'workflow_run.cancelled',
  SCENARIO_RUN_SUCCEEDED = 'scenario_run.finished',
  SCENARIO_RUN_FAILED = 'scenario_run.error',
  SCENARIO_RUN_CANCELLED = 'scenario_run.cancelled',
  RECOGNITION_RUN_SUCCEEDED = 'recognition_run.finished',
  RECOGNITION_RUN_FAILED = 'recognition_run.error',
  KEYWORD_RUN_SUCCEEDED = 'keyword_run.finished',
  KEYWORD_RUN_FAILED = 'keyword_run.error',
  TEST = 'webhook.test',
}
registerEnumType(WebhookEventType, {
  name: 'WebhookEventType',
  description: 'The type of a webhook event.',
  valuesConfig: {
    WORKFLOW_RUN_SUCCEEDED: { description: '`workflow_run.succeeded`: a workflow run succeeded.' },
    WORKFLOW_RUN_FAILED: { description: '`workflow_run.failed`: a workflow run failed.' },
    WORKFLOW_RUN_CANCELLED: { description: '`workflow_run.cancelled`: a workflow run was cancelled.' },
    SCENARIO_RUN_SUCCEEDED: { description: '`scenario_run.finished`: a scenario run succeeded.' },
    SCENARIO_RUN_FAILED: { description: '`scenario_run.error`: a scenario run failed.' },
    SCENARIO_RUN_CANCELLED: { description: '`scenario_run.cancelled`: a scenario run was cancelled.' },
    RECOGNITION_RUN_SUCCEEDED: { description: '`recognition_run.finished`: a document was read.' },
    RECOGNITION_RUN_FAILED: { description: '`recognition_run.error`: a document could not be read.' },
    KEYWORD_RUN_SUCCEEDED: { description: '`keyword_run.finished`: a keyword run found keywords.' },
    KEYWORD_RUN_FAILED: { description: '`keyword_run.error`: a keyword run found no keywords.' },
    TEST: { description: '`webhook.test`: a user requested a test.' },
  },
});

/** An event in a project that its receivers are notified of. Secrets in `data` must be masked. */
export interface WebhookEvent {
  projectId: number;
  type: `${WebhookEventType}`;
  /** A JSON value with member names in snake case. */
  data: unknown;
  /** An additional receiver of this event. It is notified even if the project's webhook is disabled. */
  ownUrl?: string | null;
  /** Whether a caller requested the event explicitly. It is then sent even if the project's webhook is disabled. */
  isRequested?: boolean;
}

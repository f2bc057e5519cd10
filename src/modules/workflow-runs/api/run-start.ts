import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';

// Descriptions of arguments that several operations share.
export const INPUT =
  'Values by field id, for example `{"topic": "tea"}`. `********` for a secret field keeps the stored value. Unknown members are preserved.';
export const INPUT_TEXT = 'Plain text instead of `input`: the value of the first declared input field.';
export const ENVIRONMENT =
  'Name of an environment of the project, whose values of project variables the run uses; sub-workflows use it too. Default: `production`.';
export const RUNNABLE_REVISION =
  'Number of the revision to run, for example of a draft. Default: the published revision where the project uses drafts, else the current one.';

/** The arguments of a start. */
export interface RunStart {
  workflowId: number;
  input: unknown;
  inputText: string | undefined;
  draft: boolean;
  revisionNumber: number | null | undefined;
  environment: string | null | undefined;
  /** The fingerprints of received files by field id. */
  files?: readonly unknown[];
}

/** Starts a run of a workflow, at most one for each idempotency key. */
export function startOnce(
  services: { runs: Pick<WorkflowRunService, 'start'>; idempotentStarts: IdempotentStarts },
  context: RequestContext,
  key: string | null | undefined,
  { workflowId, revisionNumber, environment, ...given }: RunStart,
): Promise<WorkflowRunReceipt> {
  const args = { ...given, revisionNumber: revisionNumber ?? undefined, ...environmentOf(environment) };
  return services.idempotentStarts.once(context, key, ['workflowRunStart', { workflowId, ...args }], reservedId =>
    services.runs.start(context.viewer, workflowId, { ...args, reservedId }),
  );
}

/** An absent environment is left out, so that idempotency keys of requests without one stay valid. */
export function environmentOf(environment: string | null | undefined): { environment?: string } {
  return environment == null ? {} : { environment };
}

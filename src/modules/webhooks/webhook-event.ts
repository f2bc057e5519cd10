/** An event in a project that its receivers are notified of. Secrets in `data` must be masked. */
export interface WebhookEvent {
  projectId: number;
  /** For example `workflow_run.succeeded`. */
  type: string;
  /** A JSON value with member names in snake case. */
  data: unknown;
  /** An additional receiver of this event. It is notified even if the project's webhook is disabled. */
  ownUrl?: string | null;
  /** Whether a caller requested the event explicitly. It is then sent even if the project's webhook is disabled. */
  isAskedFor?: boolean;
}

/** Something that happened in a project, to be told to its receivers. Secrets in `data` are masked. */
export interface WebhookEvent {
  projectId: number;
  /** For example `workflow_run.succeeded`. */
  type: string;
  /** JSON, its members in snake case. */
  data: unknown;
  /** A receiver of the event's own: told whatever the project's switch says, and beside the project's receiver. */
  ownUrl?: string | null;
  /** A caller asked for it now: it is sent to the project's receiver although the switch is off. */
  isAskedFor?: boolean;
}

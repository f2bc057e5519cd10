/** A delivery that this process has claimed for an attempt. */
export interface ClaimedDelivery {
  id: string;
  projectId: number;
  url: string;
  /** Whether the receiver is the webhook of the project. False: a webhook of the event's own subject. */
  isToProject: boolean;
  body: Record<string, unknown>;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** The fencing token: after another claim, the outcome of this attempt is not written. */
  token: number;
  /** Number of earlier failures in the current series of attempts. */
  failures: number;
  /** Whether the project's webhook was disabled, or its URL removed, after the event. */
  isDisabled: boolean;
}

/** The outcome of one attempt. */
export interface Attempt {
  at: Date;
  /** HTTP status; null when there was no response. */
  status: number | null;
  /** Reason of a failure, shown to the members of the project; null when delivered. */
  error: string | null;
  durationMs: number;
  /** `gone`: the receiver responded 410, which disables the project's webhook. */
  verdict: 'delivered' | 'retry' | 'failed' | 'gone';
  /** Seconds from the receiver's Retry-After header; null without one. */
  retryAfterSeconds: number | null;
}

/** A delivery that this process attempts now. */
export interface TakenDelivery {
  id: string;
  projectId: number;
  url: string;
  isToProject: boolean;
  body: Record<string, unknown>;
  /** Number of the attempt. */
  attempt: number;
  /** The fencing token: once it was taken again, this attempt may write nothing. */
  token: number;
  /** Failures before it in the present series. */
  failures: number;
  /** The project's webhook was switched off, or has no address any more, since the event. */
  isOff: boolean;
}

/** What became of one attempt. */
export interface Attempt {
  at: Date;
  /** Null when there was no answer. */
  status: number | null;
  /** Null when it was delivered. Fit for the project's members. */
  error: string | null;
  durationMs: number;
  /** `gone`: the receiver wants no more of them, ever. */
  verdict: 'delivered' | 'retry' | 'failed' | 'gone';
  /** What the receiver asked for. */
  retryAfterSeconds: number | null;
}

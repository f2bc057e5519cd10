/** Decision on an approval request. */
export type Decision = 'approved' | 'rejected';

/** The arguments of a tool call before and after a person edited them. */
export interface ArgumentsEdit {
  /** The arguments in the approval request, with masked secrets. */
  shown: unknown;
  edited: unknown;
}

/** A recorded decision. */
export interface ApprovalDecision {
  decision: Decision;
  comment?: string;
  /** Absent: the arguments are as requested. */
  edit?: ArgumentsEdit;
  /** Individual decisions in order, for a request of an approval node. */
  votes?: readonly ApprovalVote[];
}

/** The decision of one person on a request of an approval node. */
export interface ApprovalVote {
  userId: number;
  decision: Decision;
  comment: string | null;
  /** ISO 8601. */
  decidedAt: string;
}

/** Decisions of people about the approval requests of one run. */
export interface Approvals {
  /** Creates a request id that is unique in the whole service. */
  newId(): string;
  /** Returns the decision; undefined: still open. */
  findDecision(requestId: string): Promise<ApprovalDecision | undefined>;
}

/** The wait of a run for an event. Times are ISO 8601. */
export interface EventRequest {
  id: string;
  name: string;
  /** Correlation key; empty: none. */
  key: string;
  /** Events that were sent from this time on count. */
  acceptedFrom: string;
  expiresAt: string;
}

/** An event that a run sends. */
export interface EventToSend {
  name: string;
  /** Correlation key; empty: none. */
  key: string;
  payload: unknown;
  /** Unique within the run and equal in each repetition. */
  idempotencyKey: string;
}

/** Events that are sent to one run, and that it sends. */
export interface Events {
  /** Creates the id of a wait, unique in the whole service. */
  newId(): string;
  /**
   * Returns the event of a wait, the same for each call; undefined: none yet. The first call registers the wait. No two
   * waits receive the same event.
   */
  findEvent(request: EventRequest): Promise<{ payload: unknown } | undefined>;
  /** Sends an event to the project and returns its id. Safe to repeat. */
  send(event: EventToSend): Promise<string>;
}

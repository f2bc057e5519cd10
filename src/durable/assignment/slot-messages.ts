/** The notification channel on which workers offer slots and other processes request them. */
export const SLOT_CHANNEL = 'scenarium_slots';
/** The message of a process that requests slots of all workers. */
export const SLOT_REQUEST = 'request';
/** Interval in milliseconds at which a process without a worker requests slots. */
export const REQUEST_MS = 1_000;
/** Time in milliseconds after which an offer is no longer used, so that a suspended worker is assigned no more runs. */
export const OFFER_MS = 2_500;
/** Prefix of the notification channels of workers. The id of the worker follows. A message assigns one run (`parseAssignment`). */
export const ASSIGNMENT_CHANNEL_PREFIX = 'scenarium_assigned_';
/**
 * The format of assignments, part of each offer: a process uses no offers of another format. It must be raised when the columns of
 * assigned runs change.
 */
const FORMAT = 2;
/** A notification of PostgreSQL has fewer bytes. */
export const MESSAGE_BYTES = 8_000;

/** A worker accepts `slots` runs from each process that receives the message. It replaces the worker's earlier offer. */
export interface SlotOffer {
  workerId: number;
  slots: number;
  /**
   * When the worker sent the offer, in milliseconds by its own clock (`performance.now()`, rounded down). It is returned with each
   * assigned run, whose lease cannot have begun before.
   */
  offeredAt: number;
}

/** A run that is assigned to a worker. */
export interface Assignment<Columns> {
  id: string;
  /** Absent: the message would be too long, and the worker has to read the run. */
  content?: { columns: Columns; offeredAt: number };
}

export function formatOffer({ workerId, slots, offeredAt }: SlotOffer): string {
  return `${FORMAT}:${workerId}:${slots}:${offeredAt}`;
}

/** Returns undefined for any other message, and for offers of other formats. */
export function parseOffer(message: string): SlotOffer | undefined {
  const match = /^(\d+):(\d+):(\d+):(\d+)$/.exec(message);
  if (Number(match?.[1]) !== FORMAT) return undefined;
  return { workerId: Number(match![2]), slots: Number(match![3]), offeredAt: Number(match![4]) };
}

/**
 * Returns SQL for the message that assigns a run. `run`: a SQL column with the run as JSON text, including its id and `offeredAt`, or
 * null if it is too long.
 */
export function assignmentSql(id: string, run: string): string {
  return `coalesce(case when octet_length(${run}) < ${MESSAGE_BYTES} then ${run} end, ${id}::text)`;
}

/** Parses a message of `assignmentSql`. Throws SyntaxError for a malformed one. */
export function parseAssignment<Columns extends { id: string }>(message: string): Assignment<Columns> {
  if (!message.startsWith('{')) return { id: message };
  const { offeredAt, ...columns } = JSON.parse(message);
  return { id: columns.id, content: { columns, offeredAt } };
}

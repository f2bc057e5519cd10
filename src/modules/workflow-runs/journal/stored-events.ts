/**
 * The stored events of one journal row. Rows of earlier versions store `sequence`, `durable` and the full `at` of
 * each event.
 */
export type StoredEvents = readonly object[];

/** The most frequent event type, which is omitted from storage. */
const USUAL = 'node.succeeded';

interface NumberedEvent {
  type: string;
  at: string;
  sequence: number;
  node?: string;
  attempt?: number;
  durable?: true;
}

/**
 * Compresses the events of one row by omitting derivable members: the sequence, `durable`, a first attempt and the
 * most frequent type. The node of `node.started` is omitted when the next event belongs to the same node. `at` is
 * stored as milliseconds since the first event of the row, and omitted when 0.
 */
export function toStored(events: readonly NumberedEvent[]): StoredEvents {
  const base = Date.parse(events[0]?.at ?? '');
  return events.map((event, index) => {
    const { sequence: _sequence, durable: _durable, at, type, node, attempt, ...rest } = event;
    const isBegun = type === 'node.started';
    // The first event keeps its full timestamp.
    const moment = index === 0 ? at : sinceBase(at, base);
    return {
      ...(moment === 0 ? {} : { at: moment }),
      ...(node === undefined || (isBegun && events[index + 1]?.node === node) ? {} : { node }),
      ...(type === USUAL ? {} : { type }),
      ...(attempt === undefined || (isBegun && attempt === 1) ? {} : { attempt }),
      ...rest,
    };
  });
}

/** Restores the events of a row whose first event has the sequence `firstSequence`. */
export function fromStored(stored: StoredEvents, firstSequence: number): NumberedEvent[] {
  const events = stored as readonly (Omit<NumberedEvent, 'at' | 'type'> & { at?: string | number; type?: string })[];
  const base = Date.parse(String(events[0]?.at));
  return events.map((event, index) => {
    const next = events[index + 1]?.node;
    const at = event.at ?? (index === 0 ? undefined : 0);
    return {
      ...(event.type === 'node.started' ? { attempt: 1, ...(next === undefined ? {} : { node: next }) } : {}),
      ...event,
      type: event.type ?? USUAL,
      at: typeof at === 'number' ? new Date(base + at).toISOString() : (at as string),
      sequence: event.sequence ?? firstSequence + index,
    };
  });
}

/** Returns milliseconds since `base`, or the original text when the conversion is not reversible. */
function sinceBase(at: string, base: number): string | number {
  const moment = Date.parse(at);
  const isExact = Number.isFinite(moment - base) && new Date(moment).toISOString() === at;
  return isExact ? moment - base : at;
}

/**
 * The stored events of one journal row. Rows of earlier versions store `sequence`, `durable` and the full `at` of
 * each or of the first event.
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
 * stored in milliseconds: of the first event since the time in the run's id, of the others since the first event,
 * omitted when 0.
 */
export function toStored(events: readonly NumberedEvent[], runId: string): StoredEvents {
  const base = Date.parse(events[0]?.at ?? '');
  return events.map((event, index) => {
    const { sequence: _sequence, durable: _durable, at, type, node, attempt, ...rest } = event;
    const isBegun = type === 'node.started';
    const moment = sinceBase(at, index === 0 ? timeOfId(runId) : base);
    return {
      ...(moment === 0 && index > 0 ? {} : { at: moment }),
      ...(node === undefined || (isBegun && events[index + 1]?.node === node) ? {} : { node }),
      ...(type === USUAL ? {} : { type }),
      ...(attempt === undefined || (isBegun && attempt === 1) ? {} : { attempt }),
      ...rest,
    };
  });
}

/** Restores the events of a row of this run whose first event has the sequence `firstSequence`. */
export function fromStored(stored: StoredEvents, firstSequence: number, runId: string): NumberedEvent[] {
  const events = stored as readonly (Omit<NumberedEvent, 'at' | 'type'> & { at?: string | number; type?: string })[];
  const first = events[0]?.at;
  const base = typeof first === 'number' ? timeOfId(runId) + first : Date.parse(String(first));
  return events.map((event, index) => {
    const next = events[index + 1]?.node;
    const at = event.at ?? (index === 0 ? undefined : 0);
    return {
      ...(event.type === 'node.started' ? { attempt: 1, ...(next === undefined ? {} : { node: next }) } : {}),
      ...event,
      type: event.type ?? USUAL,
      at: typeof at === 'number' ? new Date(index === 0 ? base : base + at).toISOString() : (at as string),
      sequence: event.sequence ?? firstSequence + index,
    };
  });
}

/** Returns the milliseconds since 1970 in the first 48 bits of a UUIDv7. In other ids they are an arbitrary but constant number. */
function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns milliseconds since `base`, or the original text when the conversion is not reversible. */
function sinceBase(at: string, base: number): string | number {
  const moment = Date.parse(at);
  const isExact = Number.isFinite(moment - base) && new Date(moment).toISOString() === at;
  return isExact ? moment - base : at;
}

/** Events of one journal row as they are stored. Rows of before have each event with `sequence`, `durable` and the whole `at`. */
export type StoredEvents = readonly object[];

/** The type of an event that is stored without one. */
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
 * Leaves out what the row or the type of an event implies: the number, `durable`, which nothing asks of what is written, a
 * first attempt, the most frequent type, and the node that is begun where the next event is its own. The moment of an event is milliseconds since the
 * first one of its row; left out: none have passed.
 */
export function toStored(events: readonly NumberedEvent[]): StoredEvents {
  const base = Date.parse(events[0]?.at ?? '');
  return events.map((event, index) => {
    const { sequence: _sequence, durable: _durable, at, type, node, attempt, ...rest } = event;
    const isBegun = type === 'node.started';
    // The first one stays whole.
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

/** The events of a row that begins with the number `firstSequence`. */
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

/** A moment that would not come back as it was stays whole. */
function sinceBase(at: string, base: number): string | number {
  const moment = Date.parse(at);
  const isExact = Number.isFinite(moment - base) && new Date(moment).toISOString() === at;
  return isExact ? moment - base : at;
}

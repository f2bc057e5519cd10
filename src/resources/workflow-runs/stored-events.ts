/** Events of one journal row as they are stored. Rows of before have each event with `sequence`, `durable` and the whole `at`. */
export type StoredEvents = readonly object[];

interface Numbered {
  type: string;
  at: string;
  sequence: number;
  node?: string;
  attempt?: number;
  durable?: true;
}

/**
 * Leaves out what the row or the type of an event implies: the number, `durable`, which nothing asks of what is written, a
 * first attempt, and the node that is begun where the next event is its own. The moment of an event is milliseconds since the
 * first one of its row.
 */
export function toStored(events: readonly Numbered[]): StoredEvents {
  const base = Date.parse(events[0]?.at ?? '');
  return events.map((event, index) => {
    const { sequence: _sequence, durable: _durable, at, node, attempt, ...rest } = event;
    const isBegun = event.type === 'node.started';
    return {
      // The first one stays whole.
      at: index === 0 ? at : sinceBase(at, base),
      ...(node === undefined || (isBegun && events[index + 1]?.node === node) ? {} : { node }),
      ...(attempt === undefined || (isBegun && attempt === 1) ? {} : { attempt }),
      ...rest,
    };
  });
}

/** The events of a row that begins with the number `firstSequence`. */
export function fromStored(stored: StoredEvents, firstSequence: number): Numbered[] {
  const events = stored as readonly (Omit<Numbered, 'at'> & { at: string | number })[];
  const base = Date.parse(String(events[0]?.at));
  return events.map((event, index) => {
    const next = events[index + 1]?.node;
    return {
      ...(event.type === 'node.started' ? { attempt: 1, ...(next === undefined ? {} : { node: next }) } : {}),
      ...event,
      at: typeof event.at === 'number' ? new Date(base + event.at).toISOString() : event.at,
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

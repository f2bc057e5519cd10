import { LRUCache } from 'lru-cache';

/** Attempts of one process at the same time, of all projects. */
const LANES = 320;
/** The last lanes are for projects that have few. */
const KEPT_LANES = 64;
/** A project begins with so many. */
const FEWEST = 4;
/** A receiver that answers is given more, up to so many. */
const MOST = 64;
/** An attempt that takes longer does not add to them. */
const QUICK_MS = 2_000;
/** Projects whose lanes are remembered beyond their last attempt. */
const REMEMBERED = 10_000;

/**
 * How many attempts a project may have at the same time. A receiver that answers earns its project more lanes, and one that
 * fails or is slow loses them, so that projects whose receivers are dead hold few lanes however much waits for them.
 */
export class DeliveryLanes {
  /** Attempts under way, by project. */
  readonly #busyOf = new Map<number, number>();
  /** What projects may have now, where that is not the fewest. */
  readonly #allowed = new LRUCache<number, number>({ max: REMEMBERED });
  #busy = 0;

  /** Attempts under way. */
  get busy(): number {
    return this.#busy;
  }

  get free(): number {
    return LANES - this.#busy;
  }

  /** Attempts of a project under way. */
  busyOf(projectId: number): number {
    return this.#busyOf.get(projectId) ?? 0;
  }

  /** How many deliveries to claim of each project, in turn from the first on. A project without room has no entry. */
  rooms(projectIds: ReadonlySet<number>): Map<number, number> {
    const rooms = new Map<number, number>();
    let free = LANES - this.#busy;
    const each = Math.max(1, Math.floor(free / Math.max(1, projectIds.size)));
    for (const projectId of projectIds) {
      if (free <= 0) break;
      const busy = this.#busyOf.get(projectId) ?? 0;
      const allowed = this.#allowed.get(projectId) ?? FEWEST;
      // What goes beyond the fewest leaves the last lanes alone.
      const few = Math.max(0, Math.min(FEWEST - busy, free));
      const more = Math.max(0, Math.min(allowed - Math.max(busy, FEWEST), free - few - KEPT_LANES));
      const room = Math.min(few + more, Math.max(each, few));
      if (room > 0) rooms.set(projectId, room);
      free -= room;
    }
    return rooms;
  }

  begin(projectId: number): void {
    this.#busyOf.set(projectId, (this.#busyOf.get(projectId) ?? 0) + 1);
    this.#busy++;
  }

  /** An attempt that began has ended, `isDelivered` after so many milliseconds. */
  end(projectId: number, isDelivered: boolean, durationMs: number): void {
    const busy = (this.#busyOf.get(projectId) ?? 0) - 1;
    if (busy > 0) this.#busyOf.set(projectId, busy);
    else this.#busyOf.delete(projectId);
    this.#busy--;
    const allowed = this.#allowed.get(projectId) ?? FEWEST;
    if (!isDelivered) this.#allow(projectId, Math.floor(allowed / 2));
    else if (durationMs <= QUICK_MS) this.#allow(projectId, allowed + 1);
  }

  #allow(projectId: number, lanes: number): void {
    if (lanes <= FEWEST) this.#allowed.delete(projectId);
    else this.#allowed.set(projectId, Math.min(MOST, lanes));
  }
}

import { LRUCache } from 'lru-cache';

/** Maximum number of concurrent attempts in one process, across all projects. A lane is the place of one attempt. */
const LANES = 320;
/** Lanes reserved for projects that use at most `MIN_PROJECT_LANES`. */
const RESERVED_LANES = 64;
/** Lanes of a project at the start. Every project may use this many. */
const MIN_PROJECT_LANES = 4;
/** Maximum number of lanes of a project whose receiver responds quickly. */
const MAX_PROJECT_LANES = 64;
/** A delivery that takes longer than this adds no lane. */
const QUICK_MS = 2_000;
/** Maximum number of projects whose lane limit is cached. */
const MAX_CACHED_PROJECTS = 10_000;

/**
 * Limits the concurrent attempts of each project. Each quick success adds a lane; each failure halves the limit. A project
 * with an unreachable receiver therefore occupies few lanes, however long its backlog is.
 */
export class DeliveryLanes {
  /** Number of active attempts by project id. */
  readonly #busyByProject = new Map<number, number>();
  /** Lane limits above `MIN_PROJECT_LANES`, by project id. */
  readonly #limits = new LRUCache<number, number>({ max: MAX_CACHED_PROJECTS });
  #busy = 0;

  /** Number of active attempts. */
  get busy(): number {
    return this.#busy;
  }

  get free(): number {
    return LANES - this.#busy;
  }

  /** Number of active attempts of a project. */
  busyOf(projectId: number): number {
    return this.#busyByProject.get(projectId) ?? 0;
  }

  /** The number of deliveries to claim, by project id. Earlier projects come first; a project without a free lane has no entry. */
  claimLimits(projectIds: ReadonlySet<number>): Map<number, number> {
    const limits = new Map<number, number>();
    let free = LANES - this.#busy;
    const fairShare = Math.max(1, Math.floor(free / Math.max(1, projectIds.size)));
    for (const projectId of projectIds) {
      if (free <= 0) break;
      const busy = this.busyOf(projectId);
      const allowed = this.#limits.get(projectId) ?? MIN_PROJECT_LANES;
      // Lanes above `MIN_PROJECT_LANES` must not use the reserved lanes.
      const base = Math.max(0, Math.min(MIN_PROJECT_LANES - busy, free));
      const additional = Math.max(
        0,
        Math.min(allowed - Math.max(busy, MIN_PROJECT_LANES), free - base - RESERVED_LANES),
      );
      // A project takes at most its share of the free lanes, or those that every project may use.
      const limit = Math.min(base + additional, Math.max(fairShare, base));
      if (limit > 0) limits.set(projectId, limit);
      free -= limit;
    }
    return limits;
  }

  begin(projectId: number): void {
    this.#busyByProject.set(projectId, this.busyOf(projectId) + 1);
    this.#busy++;
  }

  /** Frees the lane of an attempt and adapts the project's limit to the outcome. */
  end(projectId: number, isDelivered: boolean, durationMs: number): void {
    const busy = this.busyOf(projectId) - 1;
    if (busy > 0) this.#busyByProject.set(projectId, busy);
    else this.#busyByProject.delete(projectId);
    this.#busy--;
    const allowed = this.#limits.get(projectId) ?? MIN_PROJECT_LANES;
    if (!isDelivered) this.#setLimit(projectId, Math.floor(allowed / 2));
    else if (durationMs <= QUICK_MS) this.#setLimit(projectId, allowed + 1);
  }

  #setLimit(projectId: number, lanes: number): void {
    if (lanes <= MIN_PROJECT_LANES) this.#limits.delete(projectId);
    else this.#limits.set(projectId, Math.min(MAX_PROJECT_LANES, lanes));
  }
}

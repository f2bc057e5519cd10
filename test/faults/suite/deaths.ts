import type { Fixture } from './fixture.js';
import { percentile } from './outcome.js';

/** The runs in progress at each kill of a worker, and the time until another worker ended them. */
export class Deaths {
  /** For each kill its time and the number of claims of each run in progress. */
  readonly #kills: { at: number; claims: Map<string, number> }[] = [];

  constructor(private readonly sql: Fixture['sql']) {}

  /** Call this right before the kill. */
  async recordKill(): Promise<void> {
    // The bits of a lease token above the 40 random ones count the claims (src/durable/lease-token.ts).
    const rows = await this.sql<{ id: string; claims: number }>(
      `select id, (lease_token >> 40)::int as claims from workflow_run where state = 'running'`,
    );
    this.#kills.push({ at: Date.now(), claims: new Map(rows.map(row => [row.id, row.claims])) });
  }

  get count(): number {
    return this.#kills.length;
  }

  /**
   * Milliseconds from the last death that affected a run to the end of the run, for runs that a later worker claimed
   * again.
   */
  async recoveries(): Promise<number[]> {
    const rows = await this.sql<{ id: string; claims: number; endedAt: Date }>(
      `select id, (lease_token >> 40)::int as claims, run_finished_at as "endedAt" from workflow_run
        where lease_token >> 40 > 1 and run_finished_at is not null`,
    );
    return rows.flatMap(({ id, claims, endedAt }) => {
      const death = this.#kills.findLast(kill => kill.claims.get(id) === claims - 1);
      return death ? [endedAt.getTime() - death.at] : [];
    });
  }

  async recoveryP99Ms(): Promise<number | null> {
    return percentile(await this.recoveries(), 0.99);
  }
}

import type { Fixture } from './fixture.js';
import { percentile } from './outcome.js';

/** The runs in progress at each kill of a worker, and the time until another worker ended them. */
export class Deaths {
  readonly #kills: { at: number; tokens: Map<string, number> }[] = [];

  constructor(private readonly sql: Fixture['sql']) {}

  /** Call this right before the kill. */
  async recordKill(): Promise<void> {
    const rows = await this.sql<{ id: string; token: number }>(
      `select id, (lease_token >> 40)::int as token from workflow_run where state = 'running'`,
    );
    this.#kills.push({ at: Date.now(), tokens: new Map(rows.map(row => [row.id, row.token])) });
  }

  get count(): number {
    return this.#kills.length;
  }

  /**
   * Milliseconds from the last death that affected a run to the end of the run, for runs that a later worker claimed
   * again.
   */
  async recoveries(): Promise<number[]> {
    const rows = await this.sql<{ id: string; token: number; endedAt: Date }>(
      `select id, (lease_token >> 40)::int as token, run_finished_at as "endedAt" from workflow_run
        where lease_token >> 40 > 1 and run_finished_at is not null`,
    );
    return rows.flatMap(({ id, token, endedAt }) => {
      const death = this.#kills.findLast(({ tokens }) => tokens.get(id) === token - 1);
      return death ? [endedAt.getTime() - death.at] : [];
    });
  }

  async recoveryP99Ms(): Promise<number | null> {
    return percentile(await this.recoveries(), 0.99);
  }
}

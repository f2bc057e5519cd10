import type { Ground } from './ground.js';
import { percentile } from './outcome.js';

/** What was under way when a process was killed, and how long it took to end elsewhere. */
export class Deaths {
  readonly #held: { at: number; tokens: Map<string, number> }[] = [];

  constructor(private readonly sql: Ground['sql']) {}

  /** To be called right before the kill. */
  async note(): Promise<void> {
    const rows = await this.sql<{ id: string; token: number }>(
      `select id, (lease_token >> 40)::int as token from workflow_run where state = 'running'`,
    );
    this.#held.push({ at: Date.now(), tokens: new Map(rows.map(row => [row.id, row.token])) });
  }

  get count(): number {
    return this.#held.length;
  }

  /** Runs that a later worker had to claim again: milliseconds from the last death that hit them to their end. */
  async recoveries(): Promise<number[]> {
    const rows = await this.sql<{ id: string; token: number; endedAt: Date }>(
      `select id, (lease_token >> 40)::int as token, run_finished_at as "endedAt" from workflow_run
        where lease_token >> 40 > 1 and run_finished_at is not null`,
    );
    return rows.flatMap(({ id, token, endedAt }) => {
      const death = this.#held.findLast(({ tokens }) => tokens.get(id) === token - 1);
      return death ? [endedAt.getTime() - death.at] : [];
    });
  }

  async recoveryP99Ms(): Promise<number | null> {
    return percentile(await this.recoveries(), 0.99);
  }
}

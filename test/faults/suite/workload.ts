import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chain, field, http, llm, output, template, trigger } from '../../support/graphs.js';
import { type Answer, type RetryingClient, request } from './client.js';
import type { Ground } from './ground.js';

/** What the five nodes of a run cost: a thousand tokens in and five hundred out of gpt-4o-mini. */
export const RUN_USD = '0.00045';

/** trigger → LLM → HTTP → template → output. The output names the ticket, and the calls that it was made of. */
export function ticketGraph(upstream: string) {
  const ask = llm('Write about {{ input.ticket }}', 'gpt-4o-mini');
  const call = http(`${upstream}/service`, { method: 'POST', body: { ticket: '{{ input.ticket }}' } });
  const join = template(`{{ nodes.${ask.id}.content }} {{ nodes.${call.id}.json.nth }}`);
  return chain(
    trigger(field('ticket', { input_requirements: true })),
    ask,
    call,
    join,
    output('{{ previous.content }}'),
  );
}

/** A workflow of that graph in a project whose webhook goes to the upstream. */
export async function createTicketWorkflow(url: string, upstream: string): Promise<number> {
  const made = async (path: string, body: unknown): Promise<number> => {
    const answer = await request(url, 'POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const project = { name: 'Faults', webhook_url: `${upstream}/webhook`, is_webhook_enabled: true };
  const id = await made('/api/v1/projects/', project);
  return made('/api/v1/workflows/', { project: id, title: 'Faults', data: ticketGraph(upstream) });
}

/** What a caller asked for, and the run that it was told it got. */
export interface Ticket {
  name: string;
  runId: string;
}

export interface WorkloadOptions {
  client: RetryingClient;
  workflow: number;
  /** Callers at the same time. */
  callers: number;
  /** Most runs that may be under way; more are not started. */
  backlog: number;
}

/** Sends tickets until it is told to stop, as many as the gate lets through. */
export class Workload {
  readonly tickets: Ticket[] = [];
  readonly faults: string[] = [];
  /** Runs in an end state, as of the last look. */
  ended = 0;
  #sent = 0;
  #limit = 0;
  #isOver = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ground: Ground,
    private readonly options: WorkloadOptions,
  ) {}

  start(): void {
    const callers = Array.from({ length: this.options.callers }, () => this.#call());
    this.#work = Promise.all([this.#watch(), ...callers]);
  }

  /** Lets as many tickets through in all. */
  allow(limit: number): void {
    this.#limit = Math.max(this.#limit, limit);
  }

  /** Sends what was allowed and resolves when all of it was answered. */
  async finish(): Promise<void> {
    while (this.#sent < this.#limit && this.faults.length === 0) await delay(50);
    this.#isOver = true;
    await this.#work;
  }

  async #call(): Promise<void> {
    while (!this.#isOver) {
      if (this.#sent >= this.#limit || this.#sent - this.ended >= this.options.backlog) {
        await delay(20);
        continue;
      }
      this.#sent++;
      const name = `ticket-${randomUUID()}`;
      try {
        const answer = await this.#send(name);
        if (answer.status === 200 && answer.body?.status === 201)
          this.tickets.push({ name, runId: answer.body.data.id });
        else this.faults.push(`a run was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      } catch (error) {
        this.faults.push(String(error));
      }
    }
  }

  #send(name: string): Promise<Answer> {
    const { client, workflow } = this.options;
    return client.send('POST', `/api/v1/workflows/${workflow}/run/`, { ticket: name }, name);
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const rows = await this.ground
        .sql<{ ended: number }>('select count(*)::int as ended from workflow_run where run_finished_at is not null')
        .catch(() => []);
      this.ended = rows[0]?.ended ?? this.ended;
      await delay(100);
    }
  }
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chain, field, http, llm, output, template, trigger } from '../../support/graphs.js';
import { type Answer, type RetryingClient, request } from './client.js';
import type { Fixture } from './fixture.js';

/** Cost of the five nodes of a run: a thousand input tokens and five hundred output tokens of gpt-4o-mini. */
export const RUN_USD = '0.00045';

/** trigger → LLM → HTTP → template → output. The output contains the ticket and the numbers of the calls. */
function ticketGraph(upstream: string) {
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

/** Creates a workflow with this graph in a project whose webhook goes to the upstream. */
export async function createTicketWorkflow(url: string, upstream: string): Promise<number> {
  const create = async (path: string, body: unknown): Promise<number> => {
    const answer = await request(url, 'POST', path, { body });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.id;
  };
  const project = { name: 'Faults', webhook_url: `${upstream}/webhook`, is_webhook_enabled: true };
  const id = await create('/api/v1/projects/', project);
  return create('/api/v1/workflows/', { project: id, title: 'Faults', data: ticketGraph(upstream) });
}

/** A unique name that a caller passes as the input of a run, and the id of the accepted run. */
export interface Ticket {
  name: string;
  runId: string;
}

export interface WorkloadOptions {
  client: Pick<RetryingClient, 'send'>;
  workflow: number;
  /** Simultaneous callers. */
  callers: number;
  /** Most runs in progress; no more are started. */
  backlog: number;
  /** Time without the end of a run, in milliseconds, after which runs in progress are a fault. */
  stallMs?: number;
}

/** Longer than the longest time for which a procedure blocks the service: 130 s, a locked table. */
const STALL_MS = 300_000;

/** Sends tickets until it is stopped, at most as many as `allow` permits. */
export class Workload {
  readonly tickets: Ticket[] = [];
  readonly faults: string[] = [];
  /** Finished runs at the last poll. */
  ended = 0;
  #sent = 0;
  #limit = 0;
  #isFinished = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly fixture: Pick<Fixture, 'sql'>,
    private readonly options: WorkloadOptions,
  ) {}

  start(): void {
    const callers = Array.from({ length: this.options.callers }, () => this.#call());
    this.#work = Promise.all([this.#watch(), ...callers]);
  }

  /** Permits this number of tickets in total. */
  allow(limit: number): void {
    this.#limit = Math.max(this.#limit, limit);
  }

  /** Resolves when this number of runs has ended, or when there is a fault. */
  async waitForEnds(count: number): Promise<void> {
    while (this.ended < count && this.faults.length === 0) await delay(20);
  }

  /** Sends the permitted tickets and resolves when all of them are answered, or when there is a fault. */
  async finish(): Promise<void> {
    while (this.#sent < this.#limit && this.faults.length === 0) await delay(50);
    await this.stop();
  }

  /** Sends no more tickets. Resolves when those that were sent are answered. */
  async stop(): Promise<void> {
    this.#isFinished = true;
    await this.#work;
  }

  async #call(): Promise<void> {
    while (!this.#isFinished) {
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
    const { stallMs = STALL_MS } = this.options;
    let changedAt = Date.now();
    while (!this.#isFinished) {
      const before = this.ended;
      const rows = await this.fixture
        .sql<{ ended: number }>('select count(*)::int as ended from workflow_run where run_finished_at is not null')
        .catch(() => []);
      this.ended = rows[0]?.ended ?? this.ended;
      if (this.ended !== before || this.ended >= this.#sent) changedAt = Date.now();
      if (Date.now() - changedAt > stallMs)
        return void this.faults.push(`no run ended for ${stallMs} ms, ${this.#sent - this.ended} are in progress`);
      await delay(100);
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { OFFER_MS, parseOffer, SLOT_CHANNEL } from '../../../../src/durable/assignment/slot-messages.js';
import * as actions from '../actions.js';
import { check } from '../checker.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import { Member } from '../member.js';
import { type Outcome, percentile } from '../outcome.js';
import { Random } from '../random.js';
import * as events from './event-actions.js';
import * as media from './media-actions.js';
import * as votes from './vote-actions.js';

/** The failures of the process that reaches the failpoint: it is killed or stopped, or the database crashes. */
const FAILURES = ['kill', 'stop', 'database'] as const;
type Failure = (typeof FAILURES)[number];

interface Point {
  at: string;
  /** `assigned`: a worker to which the API has assigned the run. Another worker fetches its job. */
  role: 'worker' | 'assigned' | 'api';
  action: actions.Action;
}

const worker = (action: actions.Action, ...points: string[]) =>
  points.map(at => ({ at, role: 'worker', action }) as const);
const assigned = (action: actions.Action, ...points: string[]) =>
  points.map(at => ({ at, role: 'assigned', action }) as const);
const api = (action: actions.Action, ...points: string[]) => points.map(at => ({ at, role: 'api', action }) as const);

const POINTS: Point[] = [
  ...worker(actions.ticketRun, 'claim.before', 'claim.after', 'claim.fetched', 'reserve.after', 'paid.before-record'),
  // Before the model call; between the model call and the HTTP call; at the end.
  ...[1, 2, 3].flatMap(nth => worker(actions.ticketRun, `record.before:${nth}`, `record.after:${nth}`)),
  // Its insertion announces the model call.
  ...assigned(actions.ticketRun, 'assigned.received', 'paid.before-record'),
  ...assigned(actions.largeTicketRun, 'assigned.before-read', 'assigned.after-read'),
  ...[1, 2].flatMap(nth => assigned(actions.ticketRun, `record.before:${nth}`, `record.after:${nth}`)),
  ...worker(actions.ticketRun, 'webhook.taken', 'webhook.sent', 'webhook.settled'),
  ...worker(actions.toolCall, 'claim.before', 'claim.after', 'reserve.after', 'paid.before-record'),
  ...[1, 2].flatMap(nth => worker(actions.toolCall, `record.before:${nth}`, `record.after:${nth}`)),
  ...worker(actions.delayedRun, 'suspend.before', 'suspend.before-commit', 'suspend.after', 'wake.due'),
  ...worker(actions.fileRun, 'run-file.written'),
  // Image, speech and transcription: between the answer of the model, its file and its record.
  ...[1, 2].flatMap(nth => worker(media.mediaRun, `paid.before-record:${nth}`, `upload.stored:${nth}`)),
  ...[1, 2].flatMap(nth => worker(media.mediaRun, `run-file.written:${nth}`)),
  ...worker(media.mediaRun, 'paid.before-record:3', 'record.before:2', 'record.after:3', 'record.before:4'),
  ...worker(media.imageMessage, 'upload.stored', 'run-image.stored', 'scenario-record.before:2'),
  ...worker(media.workflowMessage, 'accept.before-commit', 'accept.after-commit', 'scenario-record.before:2'),
  ...worker(actions.countingRun, 'key-value.before-commit', 'key-value.after-commit'),
  ...worker(actions.parentRun, 'record.after-parents'),
  ...worker(events.eventOfRun, 'event.before-commit', 'event.after-commit'),
  ...worker(events.sentEvent, 'event.before-delivery', 'event-trigger.after-start', 'event.after-delivery'),
  ...worker(events.failure, 'error-handler.started', 'error-handler.before-listeners', 'failure-trigger.after-start'),
  ...worker(votes.votedRun, 'suspend.before-commit', 'suspend.after'),
  ...worker(votes.decidedRun, 'claim.after', 'record.before', 'record.after'),
  ...worker(
    actions.recognition,
    'recognition.claimed',
    'recognition.chunks',
    'recognition.before-end',
    'recognition.after-end',
  ),
  ...worker(actions.keywords, 'keyword-run-record.before', 'keyword-run-record.after'),
  ...worker(actions.scenario, 'scenario-record.before:2', 'scenario-record.after:2', 'scenario-record.after:3'),
  ...api(actions.ticketRun, 'key.claimed', 'accept.before-commit', 'accept.after-commit', 'key.answered'),
  ...api(actions.toolCall, 'accept.before-commit', 'accept.after-commit'),
  ...api(actions.bulkStart, 'bulk-start.after-part', 'bulk-start.after-part:2', 'key.claimed', 'key.claimed:60'),
  ...api(actions.bulkStart, 'key.answered:5', 'accept.before-commit:2', 'accept.after-commit:2'),
  ...api(actions.chatMessage, 'chat.message-stored', 'accept.before-commit', 'accept.after-commit'),
  ...api(actions.scenario, 'scenario-start.before-commit', 'scenario-start.after-commit'),
  ...api(actions.approval, 'approval.before-commit', 'approval.after-commit'),
  ...api(votes.firstVote, 'approval.before-commit', 'approval.after-commit'),
  ...api(votes.decidingVote, 'approval.before-commit', 'approval.after-commit'),
  ...api(events.sentEvent, 'event.before-commit', 'event.after-commit'),
  ...api(actions.cancellation, 'cancel.before-commit', 'cancel.after-commit'),
  ...api(actions.upload, 'upload.stored'),
  ...api(actions.chat, 'chat.admitted', 'chat.answered', 'chat-ledger.before', 'chat-ledger.after'),
];

/** How long a process stays stopped. Longer than a lease. */
const STOP_MS = 30_000;
const TIMEOUT_MS = 120_000;

/** Cases that run at the same time. */
const CASE_RUNNERS = 3;

interface Case {
  point: Point;
  failure: Failure;
}

/** Results of all runners. */
class CaseTotals {
  readonly failures: string[] = [];
  failed = 0;
  readonly recoveries: number[] = [];
  readonly done = { kill: 0, stop: 0, database: 0 };
  readonly counts = { lost: 0, doubled: 0, paidTwice: 0 };
  readonly examples: string[] = [];
}

/** Combines each failpoint of the code with each kind of failure. Another process continues the work. */
export async function failpoints(context: Context): Promise<Outcome> {
  const cases = POINTS.flatMap(point => FAILURES.map(failure => ({ point, failure })));
  const onlyPoint = process.env.FAULTS_POINT;
  // At a scale below 1, a random part of the cases is executed.
  const shuffled = new Random(context.seed).shuffled(cases);
  const chosen = onlyPoint
    ? cases.filter(
        ({ point, failure }) => `${point.at} ${failure}`.startsWith(onlyPoint) || point.action.name === onlyPoint,
      )
    : shuffled.slice(0, context.scaled(cases.length));
  const count = chosen.length;
  const totals = new CaseTotals();
  await Promise.all(Array.from({ length: CASE_RUNNERS }, () => runCases(context, chosen, totals)));
  const { done, failures } = totals;
  return {
    procedure: 'failpoints',
    fault: `${POINTS.length} points: ${done.kill} × SIGKILL, ${done.stop} × stopped past the lease, ${done.database} × database lost`,
    runs: done.kill + done.stop + done.database + totals.failed,
    succeeded: done.kill + done.stop + done.database,
    ...totals.counts,
    recoveryP99Ms: percentile(totals.recoveries, 0.99),
    failures,
    details: {
      examples: totals.examples,
      cases: count,
      slowestMs: Math.max(0, ...totals.recoveries),
      points: POINTS.map(({ at }) => at),
    },
  };
}

/** Takes cases from the list until it is empty. */
async function runCases(context: Context, cases: Case[], totals: CaseTotals): Promise<void> {
  const fixture = await createFixture(context);
  const runner = new CaseRunner(fixture);
  try {
    await runner.open();
    for (let next = cases.shift(); next && !context.isTimeUp(); next = cases.shift()) {
      const { point, failure } = next;
      const name = `${point.at} × ${failure}`;
      try {
        totals.recoveries.push(...(await runner.runCase(point, failure)));
        totals.done[failure]++;
        context.log(name);
      } catch (error) {
        totals.failed++;
        totals.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        context.log(totals.failures.at(-1)!);
      }
    }
    const stallReason = await runner.finishWork();
    const { workflow, tickets } = runner.target;
    const result = await check(fixture, workflow, tickets);
    for (const column of ['lost', 'doubled', 'paidTwice'] as const) totals.counts[column] += result[column];
    totals.examples.push(...result.examples);
    totals.failures.push(...runner.faults, ...(stallReason ? [stallReason] : []));
  } finally {
    await runner.close();
    await fixture.close();
  }
}

/**
 * Executes cases with an API that stays alive, a worker that is stopped until it is needed (the successor), and for
 * each case a process that fails.
 */
class CaseRunner {
  readonly #api: Fleet;
  #successor: Member | undefined;
  target!: actions.ActionTarget;

  constructor(private readonly fixture: Fixture) {
    this.#api = new Fleet({ environment: { ...fixture.environment, ROLE: 'api' } }, 1);
  }

  get faults(): string[] {
    return this.#api.faults;
  }

  async open(): Promise<void> {
    await this.#api.start();
    this.#successor = new Member({ environment: { ...this.fixture.environment, ROLE: 'worker' } });
    await this.#successor.ready();
    this.target = await actions.createActionTarget(this.fixture, this.#api.urls[0]!);
  }

  /** Returns the milliseconds that the successor took, if it had to take over. */
  async runCase({ at, role, action }: Point, failure: Failure): Promise<number[]> {
    const { fixture, target } = this;
    const crashAt = failure === 'kill' ? at : `${at.includes(':') ? at : `${at}:1`}:stop`;
    const send = await action(target);
    const isWorker = role !== 'api';
    if (isWorker) await this.#stopSuccessor();
    const failing = new Member({
      environment: { ...fixture.environment, ROLE: isWorker ? 'worker' : 'api', CRASH_AT: crashAt },
    });
    try {
      // A worker polls its queue before it reports that it is ready, so it may reach the point before.
      if (role !== 'worker' && !(await failing.ready()))
        throw new Error(`the process did not start: ${failing.output}`);
      if (role === 'assigned') await this.#awaitOffer();
      const sent = send(role === 'api' ? failing.url : target.url).catch((error: unknown) => error as Error);
      if (!(failure === 'kill' ? await wasKilled(failing) : await failing.stopped(TIMEOUT_MS)))
        throw new Error('the point was not reached');
      const failedAt = Date.now();
      if (failure === 'database') await this.#loseDatabase();
      if (failure === 'database' || role === 'api') failing.signal('SIGCONT');
      this.#successor?.signal('SIGCONT');
      if (role === 'api' && failure === 'stop') {
        failing.signal('SIGSTOP');
        await delay(STOP_MS);
        failing.signal('SIGCONT');
      }
      const pending = await this.#awaitResponse(send, sent);
      await this.#awaitEnd(pending);
      const tookMs = Date.now() - failedAt;
      if (failure === 'stop' && isWorker) await this.#continueStopped(failing, failedAt);
      await failing.end();
      const faults = await pending.faults();
      const stallReason = await this.finishWork();
      if (stallReason) faults.push(stallReason);
      if (faults.length > 0) throw new Error(faults.join('; '));
      return isWorker && failure !== 'database' ? [tookMs] : [];
    } finally {
      failing.signal('SIGCONT');
      await failing.end('SIGKILL');
      this.#successor?.signal('SIGCONT');
    }
  }

  /** Finishes the remaining work of a case before the next one starts. Returns why it does not end, or undefined. */
  async finishWork(): Promise<string | undefined> {
    this.#successor?.signal('SIGCONT');
    return converge(this.fixture);
  }

  async close(): Promise<void> {
    this.#successor?.signal('SIGCONT');
    await Promise.all([this.#successor?.end(), this.#api.close()]);
  }

  /** Stops the successor between two polls of the queue, when it holds no jobs. Runs may wait, as those of prepared actions do. */
  async #stopSuccessor(): Promise<void> {
    const until = Date.now() + TIMEOUT_MS;
    // It works for longer each time, because a busy machine needs more time to finish a job.
    for (let turnMs = 100; ; turnMs *= 1.5) {
      this.#successor?.signal('SIGCONT');
      await delay(turnMs);
      let [unfinished] = await this.fixture.sql(UNFINISHED);
      if (!unfinished) {
        this.#successor?.signal('SIGSTOP');
        [unfinished] = await this.fixture.sql(HELD);
        if (!unfinished) break;
      }
      if (Date.now() > until) {
        this.#successor?.signal('SIGCONT');
        throw new Error(`the successor still works after ${TIMEOUT_MS} ms: ${JSON.stringify(unfinished)}`);
      }
    }
    // Until its offer expires, runs could be assigned to it.
    await delay(OFFER_MS);
  }

  /** Waits until a worker offers slots: the one that fails, because the successor is stopped. */
  async #awaitOffer(): Promise<void> {
    const client = new pg.Client({ connectionString: this.fixture.environment.DATABASE_URL });
    await client.connect();
    try {
      const offered = new Promise<void>(resolve => {
        client.on('notification', ({ payload = '' }) => {
          if (parseOffer(payload)?.slots) resolve();
        });
      });
      await client.query(`listen ${SLOT_CHANNEL}`);
      await Promise.race([offered, delay(TIMEOUT_MS)]);
    } finally {
      await client.end();
    }
  }

  async #loseDatabase(): Promise<void> {
    await this.fixture.cluster.crash(this.fixture.random.pick(['quick', 'dead']));
    await delay(this.fixture.random.between(0, 500));
    await this.fixture.cluster.start();
  }

  /** The answer of the process that failed, or else that of another process to the repeated request. */
  async #awaitResponse(
    send: (url: string) => Promise<actions.PendingAction>,
    sent: Promise<actions.PendingAction | Error>,
  ): Promise<actions.PendingAction> {
    let last = await sent;
    const until = Date.now() + TIMEOUT_MS;
    while (last instanceof Error) {
      if (Date.now() > until) throw new Error(`no answer: ${last.message}`);
      // The claim of a dead process expires after a minute.
      await this.fixture
        .sql(`update idempotency_key set claimed_until = now() - interval '1 second' where sealed_response is null`)
        .catch(() => []);
      last = await send(this.target.url).catch((error: unknown) => error as Error);
      await delay(100);
    }
    return last;
  }

  async #awaitEnd(pending: actions.PendingAction): Promise<void> {
    const until = Date.now() + TIMEOUT_MS;
    while (!(await pending.isFinished().catch(() => false))) {
      if (Date.now() > until) throw new Error(`it was not finished within ${TIMEOUT_MS} ms`);
      await delay(50);
    }
  }

  /** Continues a process whose lease has expired. Its work is finished by then, so it must not change any row. */
  async #continueStopped(stopped: Member, stoppedAt: number): Promise<void> {
    await this.finishWork();
    await delay(Math.max(0, stoppedAt + STOP_MS - Date.now()));
    const before = await this.#digests();
    stopped.signal('SIGCONT');
    await stopped.end();
    const after = await this.#digests();
    for (const [table, digest] of Object.entries(before))
      if (after[table] !== digest) throw new Error(`the stopped process changed ${table}`);
  }

  /** Digests of the rows of each table. */
  async #digests(): Promise<Record<string, string>> {
    const digests: Record<string, string> = {};
    for (const table of TABLES) {
      const [row] = await this.fixture.sql<{ digest: string }>(
        `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${table} t`,
      );
      digests[table] = row!.digest;
    }
    return digests;
  }
}

const UNFINISHED = `
  select 'workflow_run' as "table", id::text from workflow_run where state in ('queued', 'running')
  union all select 'webhook_delivery', id::text from webhook_delivery where state = 'pending'`;
/** Transactions and jobs of the successor, which a stopped process would keep. */
const HELD = `
  select 'transaction' as held, query as of from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
  union all select 'job', name from pgboss.job where state = 'active'`;

const TABLES = [
  ...['workflow_run', 'workflow_run_payload', 'workflow_run_journal', 'workflow_run_approval', 'billing_transaction'],
  ...[
    'budget_reservation',
    'project',
    'workflow_figures',
    'webhook_delivery',
    'scenario_run',
    'keyword_run',
    'keyword',
  ],
  ...['recognition_run', 'recognition_chunk', 'workflow_event'],
  ...['workflow_trigger', 'trigger_firing'],
];

async function wasKilled(member: Member): Promise<boolean> {
  const late = delay(TIMEOUT_MS).then(() => undefined);
  return (await Promise.race([member.exited, late]))?.signal === 'SIGKILL';
}

import { setTimeout as delay } from 'node:timers/promises';
import { check } from '../checker.js';
import { converge } from '../convergence.js';
import * as deeds from '../deeds.js';
import { Fleet } from '../fleet.js';
import { type Context, type Ground, layGround } from '../ground.js';
import { Member } from '../member.js';
import { type Outcome, percentile } from '../outcome.js';
import { Random } from '../random.js';

/** What is done to the process that comes to the point. */
const WAYS = ['kill', 'stop', 'database'] as const;
type Way = (typeof WAYS)[number];

interface Point {
  at: string;
  role: 'worker' | 'api';
  deed: deeds.Deed;
}

const worker = (deed: deeds.Deed, ...points: string[]) => points.map(at => ({ at, role: 'worker', deed }) as const);
const api = (deed: deeds.Deed, ...points: string[]) => points.map(at => ({ at, role: 'api', deed }) as const);

const POINTS: Point[] = [
  ...worker(deeds.ticketRun, 'claim.before', 'claim.after', 'claim.fetched', 'reserve.after', 'paid.before-record'),
  // The model is begun; it has answered and the service is begun; the end.
  ...[1, 2, 3].flatMap(nth => worker(deeds.ticketRun, `record.before:${nth}`, `record.after:${nth}`)),
  ...worker(deeds.ticketRun, 'webhook.taken', 'webhook.sent', 'webhook.settled'),
  ...worker(deeds.delayedRun, 'suspend.before', 'suspend.before-commit', 'suspend.after', 'wake.due'),
  ...worker(deeds.parentRun, 'record.before-parents'),
  ...worker(
    deeds.recognition,
    'recognition.claimed',
    'recognition.chunks',
    'recognition.before-end',
    'recognition.after-end',
  ),
  ...worker(deeds.keywords, 'keyword-run-record.before', 'keyword-run-record.after'),
  ...worker(deeds.scenario, 'scenario-record.before:2', 'scenario-record.after:2', 'scenario-record.after:3'),
  ...api(deeds.ticketRun, 'key.claimed', 'accept.before-commit', 'accept.after-commit', 'key.answered'),
  ...api(deeds.scenario, 'scenario-start.before-commit', 'scenario-start.after-commit'),
  ...api(deeds.approval, 'approval.before-commit', 'approval.after-commit'),
  ...api(deeds.cancelled, 'cancel.before-commit', 'cancel.after-commit'),
  ...api(deeds.upload, 'upload.stored'),
  ...api(deeds.chat, 'chat.admitted', 'chat.answered', 'chat-ledger.before', 'chat-ledger.after'),
];

/** Longer than a lease. */
const STOP_MS = 30_000;
const PATIENCE_MS = 120_000;

/** Theatres at the same time: most of a case is waiting. */
const THEATRES = 3;

interface Case {
  point: Point;
  way: Way;
}

/** What the cases of all theatres came to. */
class Tally {
  readonly failures: string[] = [];
  failed = 0;
  readonly recoveries: number[] = [];
  readonly done = { kill: 0, stop: 0, database: 0 };
  readonly counts = { lost: 0, doubled: 0, paidTwice: 0 };
  readonly examples: string[] = [];
}

/** Each named point of the code with each way to fail there; a healthy process goes on. */
export async function failpoints(context: Context): Promise<Outcome> {
  const cases = POINTS.flatMap(point => WAYS.map(way => ({ point, way })));
  const wanted = process.env.FAULTS_POINT;
  // A part of them, or as many as there is time for, is a fair choice of points and ways.
  const shuffled = new Random(context.seed).shuffled(cases);
  const chosen = wanted
    ? cases.filter(({ point, way }) => `${point.at} ${way}`.startsWith(wanted))
    : shuffled.slice(0, context.scaled(cases.length));
  const count = chosen.length;
  const tally = new Tally();
  await Promise.all(Array.from({ length: THEATRES }, () => playAll(context, chosen, tally)));
  const { done, failures } = tally;
  return {
    procedure: 'failpoints',
    fault: `${POINTS.length} points: ${done.kill} × SIGKILL, ${done.stop} × stopped past the lease, ${done.database} × database lost`,
    runs: done.kill + done.stop + done.database + tally.failed,
    succeeded: done.kill + done.stop + done.database,
    ...tally.counts,
    recoveryP99Ms: percentile(tally.recoveries, 0.99),
    failures,
    details: {
      examples: tally.examples,
      cases: count,
      slowestMs: Math.max(...tally.recoveries),
      points: POINTS.map(({ at }) => at),
    },
  };
}

/** Takes cases from the list until it is empty. */
async function playAll(context: Context, cases: Case[], tally: Tally): Promise<void> {
  const ground = await layGround(context);
  const theatre = new Theatre(ground);
  try {
    await theatre.open();
    for (let next = cases.shift(); next && !context.isLate(); next = cases.shift()) {
      const { point, way } = next;
      const name = `${point.at} × ${way}`;
      try {
        tally.recoveries.push(...(await theatre.play(point, way)));
        tally.done[way]++;
        context.say(name);
      } catch (error) {
        tally.failed++;
        tally.failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        context.say(tally.failures.at(-1)!);
      }
    }
    const stuck = await theatre.settle();
    const { workflow, tickets } = theatre.stage;
    const verdict = await check(ground, workflow, tickets);
    for (const column of ['lost', 'doubled', 'paidTwice'] as const) tally.counts[column] += verdict[column];
    tally.examples.push(...verdict.examples);
    tally.failures.push(...theatre.faults, ...(stuck ? [stuck] : []));
  } finally {
    await theatre.close();
    await ground.close();
  }
}

/** An API that stays alive, an heir that is asleep until it is needed, and for each case a process that fails. */
class Theatre {
  readonly #api: Fleet;
  #heir: Member | undefined;
  stage!: deeds.Stage;

  constructor(private readonly ground: Ground) {
    this.#api = new Fleet({ environment: { ...ground.environment, ROLE: 'api' } }, 1);
  }

  get faults(): string[] {
    return this.#api.faults;
  }

  async open(): Promise<void> {
    await this.#api.start();
    this.#heir = new Member({ environment: { ...this.ground.environment, ROLE: 'worker' } });
    await this.#heir.ready();
    this.stage = await deeds.openStage(this.ground, this.#api.urls[0]!);
  }

  /** Answers how long the heir took where it had to take over. */
  async play({ at, role, deed }: Point, way: Way): Promise<number[]> {
    const { ground, stage } = this;
    const crashAt = way === 'kill' ? at : `${at.includes(':') ? at : `${at}:1`}:stop`;
    const send = await deed(stage);
    if (role === 'worker') await this.#rest();
    const doomed = new Member({ environment: { ...ground.environment, ROLE: role, CRASH_AT: crashAt } });
    try {
      // A worker looks at its queue before it says that it is ready: that may be the point.
      if (role === 'api' && !(await doomed.ready())) throw new Error(`the process did not start: ${doomed.output}`);
      const sent = send(role === 'api' ? doomed.url : stage.url).catch((error: unknown) => error as Error);
      if (!(way === 'kill' ? await died(doomed) : await doomed.stopped(PATIENCE_MS)))
        throw new Error('the point was not reached');
      const failedAt = Date.now();
      if (way === 'database') await this.#loseDatabase();
      if (way === 'database' || role === 'api') doomed.signal('SIGCONT');
      this.#heir?.signal('SIGCONT');
      if (role === 'api' && way === 'stop') {
        doomed.signal('SIGSTOP');
        await delay(STOP_MS);
        doomed.signal('SIGCONT');
      }
      const doing = await this.#answered(send, sent);
      await this.#over(doing);
      const tookMs = Date.now() - failedAt;
      if (way === 'stop' && role === 'worker') await this.#wakeZombie(doomed, failedAt);
      await doomed.end();
      const faults = [...(await doing.faults()), ...((await this.settle()) ?? [])];
      if (faults.length > 0) throw new Error(faults.join('; '));
      return role === 'worker' && way !== 'database' ? [tookMs] : [];
    } finally {
      doomed.signal('SIGCONT');
      await doomed.end('SIGKILL');
      this.#heir?.signal('SIGCONT');
    }
  }

  /** Whatever the case has left to do is done before the next one. */
  async settle(): Promise<string | undefined> {
    this.#heir?.signal('SIGCONT');
    return converge(this.ground);
  }

  async close(): Promise<void> {
    this.#heir?.signal('SIGCONT');
    await Promise.all([this.#heir?.end(), this.#api.close()]);
  }

  /** Stopped between two looks at the queue, it holds nothing. */
  async #rest(): Promise<void> {
    await this.settle();
    for (;;) {
      this.#heir?.signal('SIGSTOP');
      const busy = await this.ground.sql(
        `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
         union all select 1 from pgboss.job where state = 'active'`,
      );
      if (busy.length === 0) return;
      this.#heir?.signal('SIGCONT');
      await delay(100);
    }
  }

  async #loseDatabase(): Promise<void> {
    await this.ground.cluster.crash(this.ground.random.pick(['quick', 'dead']));
    await delay(this.ground.random.between(0, 500));
    await this.ground.cluster.start();
  }

  /** The answer of the one that failed, or, as its caller would, that of another one to the same request. */
  async #answered(
    send: (url: string) => Promise<deeds.Doing>,
    sent: Promise<deeds.Doing | Error>,
  ): Promise<deeds.Doing> {
    let last = await sent;
    const until = Date.now() + PATIENCE_MS;
    while (last instanceof Error) {
      if (Date.now() > until) throw new Error(`no answer: ${last.message}`);
      // As it stands once the minute of a dead process's claim has passed.
      await this.ground
        .sql(`update idempotency_key set claimed_until = now() - interval '1 second' where sealed_response is null`)
        .catch(() => []);
      last = await send(this.stage.url).catch((error: unknown) => error as Error);
      await delay(100);
    }
    return last;
  }

  async #over(doing: deeds.Doing): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    while (!(await doing.isOver().catch(() => false))) {
      if (Date.now() > until) throw new Error(`it was not over within ${PATIENCE_MS} ms`);
      await delay(50);
    }
  }

  /** All is over when the stopped process wakes: nothing that it had in mind may change a row. */
  async #wakeZombie(zombie: Member, stoppedAt: number): Promise<void> {
    await this.settle();
    await delay(Math.max(0, stoppedAt + STOP_MS - Date.now()));
    const before = await this.#rows();
    zombie.signal('SIGCONT');
    await zombie.end();
    const after = await this.#rows();
    for (const [table, digest] of Object.entries(before))
      if (after[table] !== digest) throw new Error(`the zombie changed ${table}`);
  }

  async #rows(): Promise<Record<string, string>> {
    const digests: Record<string, string> = {};
    for (const table of TABLES) {
      const [row] = await this.ground.sql<{ digest: string }>(
        `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${table} t`,
      );
      digests[table] = row!.digest;
    }
    return digests;
  }
}

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
  ...['recognition_run', 'recognition_chunk'],
];

async function died(member: Member): Promise<boolean> {
  const late = delay(PATIENCE_MS).then(() => undefined);
  return (await Promise.race([member.exited, late]))?.signal === 'SIGKILL';
}

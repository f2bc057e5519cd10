import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { formOf } from '../../../support/forms.js';
import { chain, template, trigger } from '../../../support/graphs.js';
import { createActionTarget } from '../actions.js';
import { check } from '../checker.js';
import { RetryingClient, request } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { MemberOptions } from '../member.js';
import type { Outcome } from '../outcome.js';
import { mountSmallDisk, type SmallDisk } from '../small-disk.js';
import { Workload } from '../workload.js';

const RUNS = 500;
const HOUR_MS = 3_600_000;
const SKEWED = fileURLToPath(new URL('../skewed-clock.js', import.meta.url));

interface Shortage {
  name: string;
  /** Options of the processes. */
  api?: Partial<MemberOptions>;
  worker?: Partial<MemberOptions>;
  /** Exhausts a resource while runs are in progress, then makes it available again. */
  duringRuns?(shortageContext: ShortageContext): Promise<void>;
  /** A disk for the database, or for uploads. */
  disk?: 'database' | 'uploads';
}

interface ShortageContext {
  fixture: Fixture;
  client: RetryingClient;
  /** Address of the API when the shortage begins. A replacement of the API has another one. */
  url: string;
  project: number;
  disk: SmallDisk | undefined;
  faults: string[];
}

const skewed = (ms: number): Partial<MemberOptions> => ({
  nodeOptions: ['--import', SKEWED],
  environment: { CLOCK_SKEW_MS: String(ms) },
});
const heap: Partial<MemberOptions> = { nodeOptions: ['--max-old-space-size=160'] };

// "A clock" in the names is that of the workers. The clock of the API is wrong by an hour in the other direction.
const SHORTAGES: Shortage[] = [
  { name: 'a full disk under the database', disk: 'database', duringRuns: fillDatabase },
  { name: 'a full disk under uploads', disk: 'uploads', duringRuns: fillUploads },
  { name: 'a clock an hour ahead', api: skewed(-HOUR_MS), worker: skewed(HOUR_MS) },
  { name: 'a clock an hour behind', api: skewed(HOUR_MS), worker: skewed(-HOUR_MS) },
  { name: '256 descriptors', api: { descriptors: 256 }, worker: { descriptors: 256 }, duringRuns: sendManyRequests },
  { name: 'a heap of 160 MB', api: heap, worker: heap, duringRuns: sendLargeRequests },
];

/** A resource that every process needs becomes short while runs are in progress. */
export async function shortages(context: Context): Promise<Outcome> {
  const outcome: Outcome = {
    procedure: 'shortages',
    fault: SHORTAGES.map(({ name }) => name).join(', '),
    ...{ runs: 0, succeeded: 0, lost: 0, doubled: 0, paidTwice: 0, recoveryP99Ms: null, failures: [], details: {} },
  };
  const skipped: string[] = [];
  for (const shortage of SHORTAGES) {
    if (shortage.disk && process.getuid?.() !== 0) {
      skipped.push(shortage.name);
      continue;
    }
    await runDuringShortage(context, shortage, outcome);
    context.log(shortage.name);
  }
  outcome.details.skipped = skipped;
  return outcome;
}

async function runDuringShortage(context: Context, shortage: Shortage, outcome: Outcome): Promise<void> {
  const disks: SmallDisk[] = [];
  const mount = (folder: string, megabytes: number) => {
    const disk = mountSmallDisk(folder, megabytes);
    if (disk) disks.push(disk);
  };
  const fixture = await createFixture(context, shortage.disk === 'database' ? folder => mount(folder, 400) : undefined);
  if (shortage.disk === 'uploads') mount(`${fixture.folder}/service`, 48);
  const options = (role: string, more: Partial<MemberOptions> = {}): MemberOptions => ({
    ...more,
    environment: { ...fixture.environment, ROLE: role, ...more.environment },
  });
  // Without its database a process may exit, and its replacement continues.
  const mayEnd = () => shortage.disk === 'database';
  const apis = new Fleet(options('api', shortage.api), 1, mayEnd);
  const workers = new Fleet(options('worker', shortage.worker), 2, mayEnd);
  const client = new RetryingClient(() => apis.urls);
  let workload: Workload | undefined;
  const failures: string[] = [];
  try {
    await Promise.all([apis.start(), workers.start()]);
    const target = await createActionTarget(fixture, apis.urls[0]!);
    workload = new Workload(fixture, { client, workflow: target.workflow, callers: 4, backlog: 60 });
    const runs = context.scaled(RUNS, 30);
    workload.start();
    workload.allow(runs);
    await workload.waitForEnds(5);
    const { url, project } = target;
    await shortage.duringRuns?.({ fixture, client, url, project, disk: disks[0], faults: failures });
    await workload.finish();
    const stallReason = await converge(fixture);
    const result = await check(fixture, target.workflow, workload.tickets);
    outcome.runs += runs;
    for (const column of ['succeeded', 'lost', 'doubled', 'paidTwice'] as const) outcome[column] += result[column];
    failures.push(...result.examples);
    if (stallReason) failures.push(stallReason);
    outcome.details[shortage.name] = {
      statuses: client.statuses,
      reasons: result.reasons,
      deaths: apis.deaths + workers.deaths,
    };
  } catch (error) {
    failures.push(String(error));
  } finally {
    await workload?.stop();
    failures.push(...[workload, client, apis, workers].flatMap(each => each?.faults ?? []));
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close(() => {
      for (const disk of disks) disk.unmount();
    });
    outcome.failures.push(...failures.slice(0, 8).map(failure => `${shortage.name}: ${failure}`));
  }
}

/**
 * PostgreSQL exits when it cannot write its log; its supervisor then starts it again. The API may exit without its
 * database; the requests then go to its replacement.
 */
async function fillDatabase({ fixture, client, project, disk, faults }: ShortageContext): Promise<void> {
  if (!disk) return void faults.push('no disk could be mounted');
  const data = chain(trigger(), template(randomBytes(400_000).toString('base64')));
  const write = () => client.sendOnce('POST', '/api/v1/workflows/', { project, title: 'Large', data });
  await disk.fill();
  let refused = 0;
  for (let attempt = 0; refused < 5 && attempt < 200; attempt++) {
    const answer = await write();
    if (answer === undefined) await delay(100);
    else if (answer.status === 503) refused++;
    else if (answer.status !== 201)
      faults.push(`a full disk was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  if (refused === 0) faults.push('no request was refused on a full disk');
  await disk.free();
  await fixture.cluster.start();
  for (const until = Date.now() + 30_000; (await write())?.status !== 201; await delay(100))
    if (Date.now() > until) return void faults.push('afterwards nothing could be written');
}

async function fillUploads({ url, project, disk, faults }: ShortageContext): Promise<void> {
  if (!disk) return void faults.push('no disk could be mounted');
  const upload = () => {
    const form = formOf({ project: String(project) }, { file1: ['notes.txt', `${'a word '.repeat(500_000)}`] });
    return request(url, 'POST', '/api/v1/documents/', { body: form });
  };
  const first = await upload();
  if (first.status !== 201) faults.push(`before, an upload was answered ${first.status}`);
  await disk.fill();
  const { status, headers, body } = await upload();
  if (status !== 503 || !(Number(headers.get('retry-after')) > 0))
    faults.push(`on a full disk an upload was answered ${status} ${JSON.stringify(body)}`);
  await disk.free();
  const last = await upload();
  if (last.status !== 201) faults.push(`afterwards, an upload was answered ${last.status}`);
}

/** Sends more simultaneous requests than the process has file descriptors. */
async function sendManyRequests({ url, faults }: ShortageContext): Promise<void> {
  const ask = () =>
    request(url, 'GET', '/api/v1/projects/').then(
      ({ status }) => status,
      () => 0,
    );
  const answers = await Promise.all(Array.from({ length: 600 }, ask));
  const unexpected = answers.filter(status => ![0, 200, 503].includes(status));
  if (unexpected.length > 0) faults.push(`callers were answered ${[...new Set(unexpected)].join(', ')}`);
  for (const until = Date.now() + 30_000; (await ask()) !== 200; await delay(100))
    if (Date.now() > until) return void faults.push('afterwards no request was answered');
}

/** Sends bodies of the largest permitted size, four at a time. */
async function sendLargeRequests({ url, project, faults }: ShortageContext): Promise<void> {
  const title = 'x'.repeat(4_000_000);
  const send = () => request(url, 'POST', '/api/v1/workflows/', { body: { project, title, data: {} } });
  for (let repetition = 0; repetition < 10; repetition++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send().catch(() => undefined)));
    for (const answer of answers)
      if (!answer || answer.status >= 500) faults.push(`a large body was answered ${answer?.status}`);
  }
}

import type { Bench } from './bench.js';
import { inRounds, median } from './clock.js';
import { statements } from './databases.js';
import type { HttpCall } from './keep-alive-client.js';
import { type Load, load, once } from './load.js';
import { ADMIN_KEY, type Started, startScript, startService } from './processes.js';
import { type Figure, figureOf } from './report.js';

const PROJECTS = 100;
const CLIENTS = 20;
const WARM_UP = { clients: CLIENTS, ms: 1_500 };

const SEED = `insert into project (id, name, created_at)
  select n, 'Project ' || n, now() - n * interval '1 minute' from generate_series(1, ${PROJECTS}) n`;

const QUERY = `{ projects(page: 2, size: 10) { page size total items {
  id name webhookUrl isWebhookEnabled canEdit createdAt updatedAt totalSpent { usd sr }
  attachedProviderKeys { id provider name last4 createdAt } } } }`;

/** A list of ten with its total and one item, beside the least that answers the same from the same database. */
export async function reads(bench: Bench): Promise<Figure[]> {
  const url = await bench.databases.create();
  const started: Started[] = [];
  try {
    // A limit that no load reaches: requests are counted all the same.
    const service = await startService(url, bench.databases.folder, { ROLE: 'api', RATE_LIMIT_PER_MINUTE: '1000000' });
    started.push(service);
    await statements(url, [SEED, 'vacuum analyze project']);
    const bare = await startScript('bare-reads', url);
    started.push(bare);
    const list = (origin: string) => read(`${origin}/api/v1/projects/?page=2`);
    const item = (origin: string) => read(`${origin}/api/v1/projects/50/`);
    await same(list(service.url), list(bare.url));
    await same(item(service.url), item(bare.url));
    return [
      await compare(bench, 'REST list of 10 with total', list(service.url), list(bare.url)),
      await compare(bench, 'REST item', item(service.url), item(bare.url)),
      await compare(bench, 'GraphQL list of 10 with total', graphql(service.url), list(bare.url)),
    ];
  } finally {
    for (const one of started.reverse()) await one.stop();
  }
}

async function compare(bench: Bench, what: string, ours: HttpCall, bare: HttpCall): Promise<Figure> {
  bench.say(`reads: ${what}`);
  const options = { clients: CLIENTS, ms: bench.roundMs };
  for (const call of bench.isSmoke ? [] : [ours, bare]) await load(call, WARM_UP);
  const measured = await inRounds({ ours: () => load(ours, options), bare: () => load(bare, options) }, bench.rounds);
  const perSecond = (loads: Load[]) => median(loads.map(one => one.perSecond));
  return figureOf({
    bench: 'reads',
    what,
    measure: 'requests/s',
    ours: perSecond(measured.ours),
    beside: 'Express + pg',
    theirs: perSecond(measured.bare),
  });
}

/** Whoever answers something else is no measure. */
async function same(ours: HttpCall, bare: HttpCall): Promise<void> {
  const [mine, theirs] = [(await once(ours)).body, (await once(bare)).body];
  const members = (text: string) => JSON.stringify(JSON.parse(text), (_, value) => sorted(value));
  if (members(mine) !== members(theirs)) throw new Error(`not the same answer:\n${mine}\n${theirs}`);
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const HEADERS = { 'X-Api-Key': ADMIN_KEY };

function read(url: string): HttpCall {
  return { url, headers: HEADERS };
}

function graphql(origin: string): HttpCall {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' };
  return { url: `${origin}/graphql`, method: 'POST', headers, body: JSON.stringify({ query: QUERY }) };
}

import type { Bench } from '../bench.js';
import { COMMON_WORD, type MarketSize, PERSON_KEY, RARE_WORD, seedMarket } from '../databases/market-seed.js';
import { load, once } from '../load/load.js';
import { measureInRounds, median } from '../load/measurements.js';
import { ADMIN_KEY, type StartedProcess, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const SIZES: Record<'small' | 'large', MarketSize> = {
  small: { workflows: 1_000, runs: 1_000 },
  large: { workflows: 100_000, runs: 1_000_000 },
};
const SMOKE_SIZE: MarketSize = { workflows: 100, runs: 200 };

/** A service whose marketplace has this size. */
interface SeededService extends MarketSize {
  service: StartedProcess;
}

interface MeasuredRead {
  what: string;
  key?: string;
  path(seeded: SeededService): string;
  /** The GraphQL request. Absent: a GET request of REST. */
  body?: unknown;
}

const MARKET = '/api/v1/workflows/marketplace/';
const CATALOG = '/api/v1/all-workflows/';
const HISTORY = '/api/v1/workflows/1/history/';
/** Half of the runs belong to the first workflow. A page has ten items. */
const halfDepth = ({ runs }: MarketSize) => Math.max(Math.floor(runs / 2 / 10 / 2), 1);

/** The run history by GraphQL with the fields of REST. Only GraphQL has filters. */
function filteredRead(what: string, filter: object, order = 'CREATED_AT_DESC'): MeasuredRead {
  const query = `query ($filter: WorkflowRunFilter, $order: WorkflowRunOrder!) {
    result: workflowRuns(workflowId: 1, filter: $filter, order: $order) { total items { id state createdAt } } }`;
  return { what, key: ADMIN_KEY, path: () => '/graphql', body: { query, variables: { filter, order } } };
}

const READS: MeasuredRead[] = [
  { what: 'marketplace', path: () => MARKET },
  { what: 'marketplace by last run', path: () => `${MARKET}?ordering=-last_run_at` },
  { what: 'marketplace by cost', path: () => `${MARKET}?ordering=-total_cost` },
  { what: 'marketplace of a category', path: () => `${MARKET}?categories=$category` },
  { what: 'marketplace, search that finds 10', path: () => `${MARKET}?search=${RARE_WORD}` },
  { what: 'marketplace, search that finds all', path: () => `${MARKET}?search=${COMMON_WORD}` },
  { what: 'marketplace, one workflow', path: ({ workflows }) => `${MARKET}slug-${workflows / 2}/` },
  { what: 'catalog of a member of one project', key: PERSON_KEY, path: () => CATALOG },
  { what: 'catalog of a member by last run', key: PERSON_KEY, path: () => `${CATALOG}?ordering=-last_run_at` },
  { what: 'catalog of an administrator', key: ADMIN_KEY, path: () => CATALOG },
  { what: 'catalog of an administrator by last run', key: ADMIN_KEY, path: () => `${CATALOG}?ordering=-last_run_at` },
  { what: 'history, page 1', key: ADMIN_KEY, path: () => HISTORY },
  { what: 'history, half depth', key: ADMIN_KEY, path: seeded => `${HISTORY}?page=${halfDepth(seeded)}` },
  { what: 'history by cost, page 1', key: ADMIN_KEY, path: () => `${HISTORY}?ordering=-cost` },
  {
    what: 'history by cost, half depth',
    key: ADMIN_KEY,
    path: seeded => `${HISTORY}?ordering=-cost&page=${halfDepth(seeded)}`,
  },
  filteredRead('history of succeeded runs', { states: ['SUCCEEDED'] }),
  filteredRead('history of failed runs, one in 25', { states: ['FAILED'] }),
  filteredRead('history of failed runs, by cost', { states: ['FAILED'] }, 'COST_DESC'),
  filteredRead('history since a time', { createdAfter: '2020-01-01T00:00:00Z' }),
];

/**
 * Compares the duration of list requests for a small marketplace and for one with a hundred times as many workflows and a
 * thousand times as many runs.
 */
export async function benchGrowth(bench: Bench): Promise<Figure[]> {
  const services: SeededService[] = [];
  try {
    const sizes = bench.isSmoke ? [SMOKE_SIZE] : [SIZES.small, SIZES.large];
    for (const size of sizes) services.push(await startSeeded(bench, size));
    const [small, large = small] = services as [SeededService, SeededService?];
    const figures: Figure[] = [];
    for (const read of READS) figures.push(await compare(bench, read, small, large));
    return figures;
  } finally {
    for (const { service } of services) await service.stop();
  }
}

async function startSeeded({ databases, log, note }: Bench, size: MarketSize): Promise<SeededService> {
  const url = await databases.create();
  const service = await startService(url, databases.folder, { ROLE: 'api' });
  try {
    const name = `${size.workflows} published workflows with ${size.runs} runs`;
    log(`growth: making ${name}`);
    note(`growth: making ${name} took ${(await seedMarket(url, size)).toFixed(0)} s`);
    return { service, ...size };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function compare(bench: Bench, read: MeasuredRead, small: SeededService, large: SeededService): Promise<Figure> {
  bench.log(`growth: ${read.what}`);
  const buildCall = async (seeded: SeededService) => {
    const headers: Record<string, string> = read.key === undefined ? {} : { 'X-Api-Key': read.key };
    const path = read.path(seeded).replace('$category', await findCategory(seeded));
    const get = { url: `${seeded.service.url}${path}`, headers };
    const post = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    const call = read.body === undefined ? get : { ...get, ...post, body: JSON.stringify(read.body) };
    const { body } = await once(call);
    if (isEmptyAnswer(JSON.parse(body))) throw new Error(`${read.what} found nothing: ${body.slice(0, 300)}`);
    return call;
  };
  const calls = { large: await buildCall(large), small: await buildCall(small) };
  for (const call of Object.values(calls)) await load(call, { clients: 1, ms: bench.roundMs / 4 });
  const measured = await measureInRounds(
    {
      large: () => load(calls.large, { clients: 1, ms: bench.roundMs }),
      small: () => load(calls.small, { clients: 1, ms: bench.roundMs }),
    },
    bench.rounds,
  );
  return figureOf({
    bench: 'growth',
    what: read.what,
    measure: 'p50, ms',
    ours: median(measured.large.map(one => one.p50Ms)),
    comparison: `${large.workflows} workflows compared with ${small.workflows}`,
    theirs: median(measured.small.map(one => one.p50Ms)),
  });
}

interface Answer {
  items?: unknown[];
  errors?: unknown;
  data?: { result: Answer };
}

function isEmptyAnswer({ items, errors, data }: Answer): boolean {
  return errors !== undefined || (data === undefined ? items?.length === 0 : isEmptyAnswer(data.result));
}

/** The category of the first workflow. All categories have equally many workflows. */
async function findCategory({ service }: SeededService): Promise<string> {
  const { body } = await once({ url: `${service.url}${MARKET}slug-1/` });
  return String((JSON.parse(body) as { category: number }).category);
}

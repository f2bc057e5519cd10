import type { Bench } from '../bench.js';
import { installPeer, type PeerPackage, skipPeer } from '../comparisons/peers.js';
import { executeStatements } from '../databases/databases.js';
import { READS_SEED } from '../databases/reads-seed.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { type Load, load, once } from '../load/load.js';
import { measureInRounds, median } from '../load/measurements.js';
import { ADMIN_KEY, startScript, startService } from '../processes/processes.js';
import { withProcesses } from '../processes/with-processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 20;
/** On two cores of 2.5 GHz the engine takes up to 4 seconds of load until it has compiled the functions of a request. */
const WARM_UP = { clients: CLIENTS, ms: 4_000 };

/** The REST lists and items that `bare-reads.ts` also serves. A history is the list of runs of one workflow. */
const KINDS = [
  { name: 'workflow of 3.5 KB', list: 'workflows/', item: 'workflows/50/' },
  { name: 'variable', list: 'variables/', item: 'variables/50/' },
  { name: 'prompt', list: 'prompts/', item: 'prompts/50/' },
  { name: 'scenario', list: 'scenarios/' },
  { name: 'document', list: 'documents/', item: 'documents/50/' },
  {
    ...{ name: 'run of a history', list: 'workflows/1/history/' },
    item: 'workflows/1/history/01900000-0000-7000-8000-000000000005/',
  },
];
const QUERY = `{ projects(page: 2, size: 10) { page size total items {
  id name webhookUrl isWebhookEnabled canEdit createdAt updatedAt totalSpent { usd sr }
  attachedProviderKeys { id provider name last4 createdAt } } } }`;

const NESTED = `{ projects(page: 1, size: 10) { page size total items {
  id name webhookUrl isWebhookEnabled createdAt updatedAt
  workflows(page: 1, size: 10) { total items {
    id projectId title sortId shortDescription isPublished createdAt updatedAt } } } } }`;

/** A GraphQL server that answers the nested list from the same database. */
interface GraphqlPeer {
  name: string;
  script: string;
  package: PeerPackage;
  query: string;
  /** Names of members that are not compared. */
  ignored?: string[];
}

const GRAPHQL_PEERS: GraphqlPeer[] = [
  {
    ...{ name: 'mercurius + graphql-jit', script: 'comparisons/mercurius-reads', query: NESTED },
    package: { name: 'mercurius', version: '16.10.1', more: ['fastify@5.12.8', 'graphql@16.15.0'] },
  },
  {
    ...{ name: 'PostGraphile', script: 'comparisons/postgraphile-reads' },
    package: { name: 'postgraphile', version: '5.1.5' },
    // It derives its fields from the tables, and has no numbers of pages.
    query: `{ projects: allProjects(first: 10, orderBy: CREATED_AT_DESC) { total: totalCount items: nodes {
      id: rowId name webhookUrl isWebhookEnabled createdAt updatedAt
      workflows: workflowsByProjectId(first: 10, orderBy: SORT_ID_ASC) { total: totalCount items: nodes {
        id: rowId projectId title sortId shortDescription isPublished createdAt updatedAt } } } } }`,
    ignored: ['page', 'size', 'createdAt', 'updatedAt'],
  },
];

/** Compares lists of ten, with totals and items, with minimal candidates on the same database. */
export async function benchReads(bench: Bench): Promise<Figure[]> {
  const url = await bench.databases.create();
  return withProcesses(async start => {
    // A limit that the load does not reach. Requests are counted nevertheless.
    const settings = { ROLE: 'api', RATE_LIMIT_PER_MINUTE: '1000000' };
    const service = await start(startService(url, bench.databases.folder, settings));
    await executeStatements(url, READS_SEED);
    const bare = await start(startScript('comparisons/bare-reads', url));
    const figures = await restFigures(bench, service.url, bare.url);
    for (const peer of bench.isSmoke ? [] : GRAPHQL_PEERS) {
      const running = await start(
        installPeer(peer.package).then(folder => startScript(peer.script, url, folder)),
      ).catch(skipPeer(bench, 'reads', peer.name));
      if (!running) continue;
      const [ours, theirs] = [graphql(service.url, NESTED), graphql(running.url, peer.query)];
      await assertSameBody(ours, theirs, peer.ignored);
      const what = 'GraphQL list of 10 projects with 10 workflows each';
      figures.push(await compare(bench, what, ours, { name: peer.name, call: theirs }));
    }
    return figures;
  });
}

async function restFigures(bench: Bench, service: string, bare: string): Promise<Figure[]> {
  const measurePair = async (what: string, path: string) => {
    const [ours, theirs] = [read(`${service}/api/v1/${path}`), read(`${bare}/api/v1/${path}`)];
    await assertSameBody(ours, theirs);
    return compare(bench, what, ours, { name: 'Express + pg', call: theirs });
  };
  const figures = [
    await measurePair('REST list of 10 with total', 'projects/?page=2'),
    await measurePair('REST item', 'projects/50/'),
    await compare(bench, 'GraphQL list of 10 with total', graphql(service, QUERY), {
      name: 'Express + pg',
      call: read(`${bare}/api/v1/projects/?page=2`),
    }),
  ];
  for (const { name, list, item } of KINDS) {
    figures.push(await measurePair(`REST list of 10, ${name}`, `${list}?page=2`));
    if (item) figures.push(await measurePair(`REST item, ${name}`, item));
  }
  return figures;
}

interface Comparison {
  name: string;
  call: HttpCall;
}

async function compare(bench: Bench, what: string, ours: HttpCall, { name, call: bare }: Comparison): Promise<Figure> {
  bench.log(`reads: ${what}`);
  // The ratio of two rounds varies by up to a third, so there are more and shorter rounds than elsewhere.
  const options = { clients: CLIENTS, ms: bench.roundMs / 2 };
  for (const call of bench.isSmoke ? [] : [ours, bare]) await load(call, WARM_UP);
  const measured = await measureInRounds(
    { ours: () => load(ours, options), bare: () => load(bare, options) },
    bench.isSmoke ? bench.rounds : 2 * bench.rounds + 1,
  );
  const perSecond = (loads: Load[]) => median(loads.map(one => one.perSecond));
  return figureOf({
    bench: 'reads',
    what,
    measure: 'requests/s',
    ours: perSecond(measured.ours),
    comparison: name,
    theirs: perSecond(measured.bare),
  });
}

/**
 * Throws if both requests return different data. Members with the names in `ignored` are not compared; default: signed
 * file URLs, which differ in each response.
 */
async function assertSameBody(ours: HttpCall, bare: HttpCall, ignored = ['result_url']): Promise<void> {
  const [mine, theirs] = [(await once(ours)).body, (await once(bare)).body];
  const members = (text: string) => JSON.stringify(JSON.parse(text), (_, value) => normalizeMembers(value, ignored));
  if (members(mine) !== members(theirs))
    throw new Error(`${ours.url} and ${bare.url} return different data:\n${mine}\n${theirs}`);
}

function normalizeMembers(value: unknown, ignored: string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([name]) => !ignored.includes(name));
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const HEADERS = { 'X-Api-Key': ADMIN_KEY };

function read(url: string): HttpCall {
  return { url, headers: HEADERS };
}

function graphql(origin: string, query: string): HttpCall {
  const headers = { ...HEADERS, 'Content-Type': 'application/json' };
  return { url: `${origin}/graphql`, method: 'POST', headers, body: JSON.stringify({ query }) };
}

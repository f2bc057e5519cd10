import type { Bench } from '../bench.js';
import type { HttpCall } from '../load/keep-alive-client.js';
import { load } from '../load/load.js';
import { measureInRounds, median } from '../load/measurements.js';
import { ADMIN_KEY, startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

const CLIENTS = 10;
const WARM_UP = { clients: CLIENTS, ms: 3_000 };

const REFUSED: Record<string, string> = {
  'too deep': `{ ${'a { '.repeat(50)} b ${'}'.repeat(50)} }`,
  'too many aliases': `{ ${Array.from({ length: 101 }, (_, n) => `a${n}: me { id }`).join(' ')} }`,
  'too many tokens': `{ ${'a: me { id } '.repeat(10_000)} }`,
  'too costly': '{ projects(size: 100) { items { scenarios { items { messages { prompts { id } } } } } } }',
};

/** Compares the cost of refusing a GraphQL operation with the cost of the cheapest response. */
export async function benchGuard(bench: Bench): Promise<Figure[]> {
  const service = await startService(await bench.databases.create(), bench.databases.folder, { ROLE: 'api' });
  try {
    const figures: Figure[] = [];
    const cheapest = operation(service.url, '{ me { id } }');
    const answered = () => load(cheapest, { clients: CLIENTS, ms: bench.roundMs });
    if (!bench.isSmoke) await load(cheapest, WARM_UP);
    for (const [what, query] of Object.entries(REFUSED)) {
      bench.log(`guard: an operation that is ${what}`);
      const call = operation(service.url, query);
      const refused = () => load(call, { clients: CLIENTS, ms: bench.roundMs, status: 400 });
      const measured = await measureInRounds({ answered, refused }, bench.rounds);
      const perSecond = (loads: { perSecond: number }[]) => median(loads.map(one => one.perSecond));
      figures.push(
        figureOf({
          bench: 'guard',
          what: `refused: ${what}`,
          measure: 'ms each',
          ours: 1000 / perSecond(measured.refused),
          comparison: '{ me { id } }',
          theirs: 1000 / perSecond(measured.answered),
        }),
      );
    }
    return figures;
  } finally {
    await service.stop();
  }
}

function operation(origin: string, query: string): HttpCall {
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': ADMIN_KEY };
  return { url: `${origin}/graphql`, method: 'POST', headers, body: JSON.stringify({ query }) };
}

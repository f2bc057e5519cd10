import type { Bench } from '../bench.js';
import { load } from '../load/load.js';
import { median } from '../load/measurements.js';
import { measureOverload } from '../load/overload-load.js';
import { makeWorkflow, pureGraph, restStart } from '../load/run-calls.js';
import { startService } from '../processes/processes.js';
import { type Figure, figureOf } from '../report.js';

/** Enough clients to keep the service busy. */
const CLIENTS = 200;
/** Many more clients than the service accepts at the same time. Refused clients retry. */
const OVERLOAD_CLIENTS = 1_000;

/**
 * Compares the throughput and latency of run starts under overload (more clients than the service accepts) with those
 * at capacity, then measures the recovery.
 */
export async function benchOverload(bench: Bench): Promise<Figure[]> {
  const service = await startService(await bench.databases.create(), bench.databases.folder);
  try {
    const call = restStart(service.url, await makeWorkflow(service.url, pureGraph()));
    const clients = bench.isSmoke ? 2 : CLIENTS;
    const overloadClients = bench.isSmoke ? 10 : OVERLOAD_CLIENTS;
    const ms = bench.roundMs;
    await load(call, { clients, ms });
    const rounds = { full: [] as number[], fullP99: [] as number[], over: [] as number[], overP99: [] as number[] };
    const refusedP99: number[] = [];
    const after: number[] = [];
    let refused = 0;
    let accepted = 0;
    for (let round = 0; round < bench.rounds; round++) {
      bench.log(`overload: round ${round + 1}`);
      const full = await load(call, { clients, ms });
      rounds.full.push(full.perSecond);
      rounds.fullP99.push(full.p99Ms);
      const over = await measureOverload(call, { clients: overloadClients, ms });
      if (over.others.size > 0)
        throw new Error(`unexpected responses or connection errors: ${JSON.stringify([...over.others])}`);
      rounds.over.push(over.acceptedPerSecond);
      rounds.overP99.push(over.acceptedP99Ms);
      refused += over.refused;
      accepted += over.acceptedPerSecond * (ms / 1000);
      if (over.refused > 0) refusedP99.push(over.refusedP99Ms);
      after.push((await load(call, { clients, ms })).perSecond);
    }
    bench.note(
      `overload: about ${Math.round(accepted)} requests accepted, ${refused} refused with 429 or 503, none otherwise`,
    );
    const figure = (measure: string, ours: number[], theirs: number[]) =>
      figureOf({
        bench: 'overload',
        what: `${overloadClients} clients`,
        measure,
        ours: median(ours),
        comparison: `${clients} clients`,
        theirs: median(theirs),
      });
    return [
      figure('accepted/s', rounds.over, rounds.full),
      figure('p99 of accepted, ms', rounds.overP99, rounds.fullP99),
      ...(refusedP99.length > 0 ? [figure('p99 of refused, ms', refusedP99, rounds.fullP99)] : []),
      figure('accepted/s right after', after, rounds.full),
    ];
  } finally {
    await service.stop();
  }
}

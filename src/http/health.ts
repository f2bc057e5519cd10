import { Router } from 'express';
import type { Database } from '../platform/database/database.js';
import type { WedgeWatch } from '../platform/database/wedge-watch.js';
import { readOnly } from './middleware/read-only.js';

/**
 * Where a process is in its life: `ready` and `leaving` take requests, but a `leaving` one tells load balancers to send
 * them elsewhere.
 */
export type Phase = 'starting' | 'ready' | 'leaving' | 'draining';

export interface Lifecycle {
  phase: Phase;
  database?: Database;
  wedgeWatch?: WedgeWatch;
}

const PROBE_MS = 2_000;

type DatabaseState = 'reachable' | 'away' | 'read-only';

/**
 * `/healthz`: the process lives, and a restart would not help it. `/readyz`: send it requests, it takes them, and its
 * database takes what it writes. 503 otherwise.
 */
export function healthRoutes(lifecycle: Lifecycle): Router {
  const router = Router();
  const probe = sharedProbe();
  router.get('/healthz', (_request, response) => {
    const isWedged = lifecycle.wedgeWatch?.isWedged ?? false;
    response.status(isWedged ? 503 : 200).json({ status: isWedged ? 'wedged' : 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const { phase, database } = lifecycle;
    const state = phase === 'ready' && database ? await probe(database) : 'away';
    const isReady = state === 'reachable';
    response.status(isReady ? 200 : 503);
    if (!isReady) response.set('Retry-After', '1');
    response.json({ status: phase, database: state });
  });
  router.all(['/healthz', '/readyz'], readOnly);
  return router;
}

/** One probe at a time, however many ask: one that waits for a table holds a connection. */
function sharedProbe(): (database: Database) => Promise<DatabaseState> {
  let underWay: Promise<DatabaseState> | undefined;
  return async database => {
    underWay ??= stateOf(database).finally(() => {
      underWay = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DatabaseState>(resolve => {
      timer = setTimeout(() => resolve('away'), PROBE_MS);
    });
    return Promise.race([underWay, late]).finally(() => clearTimeout(timer));
  };
}

function stateOf(database: Database): Promise<DatabaseState> {
  return database.checkWrites().then(
    () => 'reachable',
    (error: { code?: unknown }) => (error.code === '25006' ? 'read-only' : 'away'),
  );
}

import { Router } from 'express';
import type { Database } from '../platform/database/database.js';
import type { WedgeWatch } from '../platform/database/wedge-watch.js';
import { readOnly } from './middleware/read-only.js';

/**
 * The phase of a process. It accepts requests while `ready` and `leaving`; while `leaving` its readiness probe fails, so that load
 * balancers stop sending requests to it. While `draining` it refuses new requests and finishes those in progress.
 */
export type Phase = 'starting' | 'ready' | 'leaving' | 'draining';

export interface Lifecycle {
  phase: Phase;
  database?: Database;
  wedgeWatch?: WedgeWatch;
}

const PROBE_MS = 2_000;
/** SQLSTATE of a write to a read-only database. */
const READ_ONLY = '25006';

type DatabaseState = 'reachable' | 'away' | 'read-only';

/**
 * The probes. `/healthz` is 200 unless a restart would help: `wedged` means that the connections of the pool answer nothing although a new one
 * works. `/readyz` is 200 while the phase is `ready` and the database accepts writes. Otherwise they respond with 503.
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

/** Concurrent requests share one database probe, because a probe that waits for a lock occupies a connection. */
function sharedProbe(): (database: Database) => Promise<DatabaseState> {
  let pending: Promise<DatabaseState> | undefined;
  return async database => {
    pending ??= stateOf(database).finally(() => {
      pending = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<DatabaseState>(resolve => {
      timer = setTimeout(() => resolve('away'), PROBE_MS);
    });
    return Promise.race([pending, timeout]).finally(() => clearTimeout(timer));
  };
}

function stateOf(database: Database): Promise<DatabaseState> {
  return database.checkWrites().then(
    () => 'reachable',
    (error: { code?: unknown }) => (error.code === READ_ONLY ? 'read-only' : 'away'),
  );
}

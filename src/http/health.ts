import { Router } from 'express';
import type { Database } from '../base/database.js';
import { readOnly } from './read-only.js';

/**
 * Where a process is in its life: `ready` and `leaving` take requests, but a `leaving` one tells load balancers to send
 * them elsewhere.
 */
export type Phase = 'starting' | 'ready' | 'leaving' | 'draining';

export interface Lifecycle {
  phase: Phase;
  database?: Database;
}

const PING_MS = 2_000;

/** `/healthz`: the process lives. `/readyz`: send it requests, it takes them and reaches its database; 503 otherwise. */
export function healthRoutes(lifecycle: Lifecycle): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const database = lifecycle.phase === 'ready' ? await isReachable(lifecycle.database) : false;
    response.status(database ? 200 : 503);
    if (!database) response.set('Retry-After', '1');
    response.json({ status: lifecycle.phase, database: database ? 'reachable' : 'away' });
  });
  router.all(['/healthz', '/readyz'], readOnly);
  return router;
}

async function isReachable(database: Database | undefined): Promise<boolean> {
  if (!database) return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  const ping = database.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([ping, late]).finally(() => clearTimeout(timer));
}

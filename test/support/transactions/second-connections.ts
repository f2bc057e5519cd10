import { AsyncLocalStorage } from 'node:async_hooks';
import { SqlPool } from '../../../src/platform/database/sql-pool.js';

/** Modules of src/ load once per worker, this one once per file. */
const INSTALLED = Symbol.for('scenarium.second-connections');
const globals = globalThis as unknown as Record<symbol, true>;
/**
 * Callers that may take a second connection. `ScheduleRunner` starts runs while it holds the row of a schedule, but a
 * process has only one, which handles one schedule at a time. Tests read what others see of their open transactions.
 */
const ALLOWED = /ScheduleRunner|\/test\/(?!support\/transactions\/second)/;

/**
 * Lets work fail that takes a second connection while it holds the one of a transaction. If each connection of the pool
 * is held by such work, all of it waits until it times out.
 */
export function refuseSecondConnections(): void {
  if (globals[INSTALLED]) return;
  globals[INSTALLED] = true;
  const holder = new AsyncLocalStorage<{ isHeld: boolean }>();
  const assertNoneHeld = () => {
    if (holder.getStore()?.isHeld) throw new Error('a second connection is taken within a transaction');
  };
  const { transaction, query, prepared } = SqlPool.prototype;
  SqlPool.prototype.transaction = async function <T>(...[work, options]: Parameters<typeof transaction<T>>) {
    assertNoneHeld();
    if (ALLOWED.test(new Error().stack ?? '')) return transaction.call(this, work, options) as Promise<T>;
    const holding: typeof work = async sql => {
      const state = { isHeld: true };
      try {
        return await holder.run(state, () => work(sql));
      } finally {
        state.isHeld = false;
      }
    };
    return transaction.call(this, holding, options) as Promise<T>;
  };
  SqlPool.prototype.query = async function <T>(...args: Parameters<typeof query>) {
    assertNoneHeld();
    return query.apply(this, args) as Promise<T[]>;
  };
  SqlPool.prototype.prepared = async function <T>(...args: Parameters<typeof prepared>) {
    assertNoneHeld();
    return prepared.apply(this, args) as Promise<T[]>;
  };
}

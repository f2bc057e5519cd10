import type pg from 'pg';

/**
 * How long statements wait for a connection without interruption before one more is opened, in milliseconds. PostgreSQL takes 5 to
 * 40 ms for a new connection and its first statements.
 */
const WAIT_MS = 20;

/**
 * Makes a pool open a further connection only when statements have waited for `WAIT_MS` without interruption, one at a time, up to
 * the maximum of the pool. Otherwise each of a few statements that meet would open one, which costs time at start and memory until
 * it is idle. The pool shrinks when a connection ends.
 */
export function growWhenWaiting(pool: pg.Pool): void {
  const most = pool.options.max;
  pool.options.max = 1;
  const connect = pool.connect.bind(pool);
  let busy = 0;
  let timer: NodeJS.Timeout | undefined;

  const watchWaiting = () => {
    if (timer || pool.waitingCount <= pool.idleCount) return;
    timer = setTimeout(() => {
      timer = undefined;
      const isOpening = pool.totalCount - pool.idleCount > busy;
      if (!isOpening && pool.totalCount < most) grow();
      watchWaiting();
    }, WAIT_MS).unref();
  };
  const grow = () => {
    pool.options.max = pool.totalCount + 1;
    // The released connection serves the statement that waited longest. After a failure the pool connects again for
    // that statement, which receives the error. A pool that is closing returns only an error.
    connect((_error, _client, release) => release?.());
  };

  pool.on('acquire', () => {
    busy++;
    if (pool.waitingCount > 0) return;
    clearTimeout(timer);
    timer = undefined;
  });
  pool.on('release', () => busy--);
  pool.on('remove', () => {
    pool.options.max = Math.max(1, pool.totalCount);
  });
  pool.connect = ((...callback: Parameters<typeof connect>) => {
    const connecting = connect(...callback);
    watchWaiting();
    return connecting;
  }) as typeof pool.connect;
}

/**
 * What `work` makes of `value`: at once where it is there already. Each `await` on the way of a request costs it a turn in
 * the queue and a frame that is kept meanwhile.
 */
export function thenSync<T, R>(value: T | Promise<T>, work: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(work) : work(value);
}

import { Batcher } from './batcher.js';

/** Reads values by request. Concurrent reads share one statement, and those with the same key one value. */
export class BatchedReads<Request, Value> {
  readonly #batches: Batcher<Request, Value | undefined>;

  /** `find` returns the values that exist, each with its request. It receives one request of each key. */
  constructor(
    keyOf: (request: Request) => string | number,
    find: (requests: readonly Request[]) => Promise<readonly (readonly [Request, Value])[]>,
  ) {
    const readAll = async (requests: readonly Request[]) => {
      const distinct = new Map(requests.map(request => [keyOf(request), request]));
      const found = new Map((await find([...distinct.values()])).map(([request, value]) => [keyOf(request), value]));
      return requests.map(request => found.get(keyOf(request)));
    };
    this.#batches = new Batcher(readAll, { concurrency: 1, maxBatch: 500 });
  }

  /** Returns the value of a request. Undefined: there is none. */
  read(request: Request): Promise<Value | undefined> {
    return this.#batches.add(request);
  }
}

import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { RequestContext } from '../resources/accounts/request-context.js';

/**
 * What `subscribe` of graphql-js does, but each event is resolved with loaders of its own: those of the event before
 * would answer what was true then.
 */
export async function subscribeWithFreshLoaders(
  args: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]();
  const context = args.contextValue as RequestContext;
  // An object, not a generator: `return` reaches the source at once, also while an event is awaited.
  const results: AsyncIterableIterator<ExecutionResult> = {
    async next() {
      const event = await events.next();
      if (event.done) return { done: true, value: undefined };
      const value = await execute({ ...args, rootValue: event.value, contextValue: context.renewed() });
      return { done: false, value };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return results;
    },
  };
  return results;
}

import { createSourceEventStream, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { SharedExecutions } from './shared-executions.js';

export interface SubscriptionArgs extends ExecutionArgs {
  /** Resolves when the subscriber can take more: before that nothing is read for it. */
  room?: () => Promise<void>;
}

type Subscribe = (args: SubscriptionArgs) => Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;

/** What `subscribe` of graphql-js does, but subscribers who ask the same share the execution of an event. */
export function sharingSubscribe(): Subscribe {
  const executions = new SharedExecutions();
  return async args => {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const events = source[Symbol.asyncIterator]();
    const key = executions.keyOf(args);
    // An object, not a generator: `return` reaches the source at once, also while an event is awaited.
    const results: AsyncIterableIterator<ExecutionResult> = {
      async next() {
        await args.room?.();
        const event = await events.next();
        if (event.done) return { done: true, value: undefined };
        return { done: false, value: await executions.execute(args, key, event.value) };
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
  };
}

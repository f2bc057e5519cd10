import { createSourceEventStream, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { SharedExecutions } from './shared-executions.js';

export interface SubscriptionArgs extends ExecutionArgs {
  /** Resolves when the subscriber can take more events. Its source is not read before. */
  whenWritable?: () => Promise<void>;
}

type Subscribe = (args: SubscriptionArgs) => Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;

/** Like `subscribe` of graphql-js, but equal subscriptions share the execution of an event. */
export function sharingSubscribe(): Subscribe {
  const executions = new SharedExecutions();
  return async args => {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    const events = source[Symbol.asyncIterator]();
    const key = executions.keyOf(args);
    // Not a generator, so that `return` reaches the source immediately, even while an event is awaited.
    const results: AsyncIterableIterator<ExecutionResult> = {
      async next() {
        await args.whenWritable?.();
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

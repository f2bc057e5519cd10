import { type DocumentNode, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { RequestContext } from '../../modules/accounts/request-context.js';

/** How long a result is shared. Later the values of fields may have changed. */
const FRESH_MS = 250;

interface Execution {
  at: number;
  result: ExecutionResult | PromiseLike<ExecutionResult>;
}

/** Resolves an event once for all subscribers with the same viewer, operation and variables. */
export class SharedExecutions {
  readonly #byEvent = new WeakMap<object, Map<string, Execution>>();
  readonly #documents = new WeakMap<DocumentNode, number>();
  #count = 0;

  /** Subscribers with equal keys get the same result. */
  keyOf({ document, operationName, variableValues, contextValue }: ExecutionArgs): string {
    const number = this.#documents.get(document) ?? ++this.#count;
    this.#documents.set(document, number);
    const { caller, origin } = contextValue as RequestContext;
    const viewer = caller && [caller.userId, caller.isAdmin, caller.via, caller.keyId];
    return JSON.stringify([number, operationName, variableValues, viewer, origin]);
  }

  /** Each execution gets new data loaders: those of the previous event have cached outdated values. */
  execute(args: ExecutionArgs, key: string, event: unknown): Execution['result'] {
    const context = args.contextValue as RequestContext;
    const start = () => execute({ ...args, rootValue: event, contextValue: context.withFreshLoaders() });
    if (typeof event !== 'object' || event === null) return start();
    const executions = this.#byEvent.get(event) ?? new Map<string, Execution>();
    this.#byEvent.set(event, executions);
    const now = performance.now();
    const shared = executions.get(key);
    if (shared && now - shared.at < FRESH_MS) return shared.result;
    const result = start();
    executions.set(key, { at: now, result });
    return result;
  }
}

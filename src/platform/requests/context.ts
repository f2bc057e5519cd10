import type DataLoader from 'dataloader';
import type { AbortSignalLike } from '../async/abort-signal.js';
import { UnauthenticatedError } from '../errors/errors.js';

/**
 * What one request carries through the resolvers: who asks, and the loaders that turn the fields of a list into one
 * query. Made by the HTTP floor for each request and each subscription.
 */
export interface RequestContext<V = unknown> {
  /** Throws UNAUTHENTICATED when nobody is logged in. */
  readonly viewer: V;
  /** The id that what this request makes must have: it was reserved for an idempotency key. Undefined: any. */
  readonly reservedId: string | undefined;
  /** The same for what needs no login: null when nobody is logged in. */
  readonly caller: V | null;
  /** The address at which the caller reached the service, without a slash at its end; empty when it is not known. */
  readonly origin: string;
  /** The IP address that the request came from; undefined when it is not known. */
  readonly address: string | undefined;
  /** Aborts when whoever waits for the answer has gone. */
  readonly signal: AbortSignalLike;
  /** Whether an answer may be bytes that a resolver hands over, rather than a value. */
  readonly takesBytes: boolean;
  /** The loader of this request named `name`, created at first use. */
  loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T>;
  /** The same caller with loaders that remember nothing: for the next event of a subscription. */
  renewed(): RequestContext<V>;
  /** The same request with an id reserved for what it starts. */
  reserving(id: string): RequestContext<V>;
}

/** How a request came and its answer travels. What is a function is found out when it is first asked for. */
export interface HttpExchange {
  origin: () => string;
  /** An IP address. */
  address?: string | undefined;
  /** Of the connection. */
  signal: () => AbortSignalLike;
  takesBytes: boolean;
}

/** Without a connection that ends with the answer. */
export const noWire: HttpExchange = { origin: () => '', signal: () => new AbortController().signal, takesBytes: false };

/**
 * A class with plain members: Apollo copies the context for each operation, which calls own getters and drops private
 * members, and leaves those of the prototype alone.
 */
class ScopedContext<V> implements RequestContext<V> {
  loaders: Map<string, unknown> | undefined;

  constructor(
    readonly caller: V | null,
    readonly wire: HttpExchange,
    readonly reservedId: string | undefined = undefined,
  ) {}

  get origin(): string {
    return this.wire.origin();
  }

  get address(): string | undefined {
    return this.wire.address;
  }

  get signal(): AbortSignalLike {
    return this.wire.signal();
  }

  get takesBytes(): boolean {
    return this.wire.takesBytes;
  }

  get viewer(): V {
    if (this.caller === null) throw new UnauthenticatedError();
    return this.caller;
  }

  loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T> {
    this.loaders ??= new Map();
    const existing = this.loaders.get(name) as DataLoader<K, T> | undefined;
    if (existing) return existing;
    const made = create();
    this.loaders.set(name, made);
    return made;
  }

  renewed(): RequestContext<V> {
    return new ScopedContext(this.caller, this.wire);
  }

  reserving(id: string): RequestContext<V> {
    return new ScopedContext(this.caller, this.wire, id);
  }
}

/** A request's context; `caller` null stands for nobody. */
export function createContext<V>(caller: V | null, wire = noWire): RequestContext<V> {
  return new ScopedContext(caller, wire);
}

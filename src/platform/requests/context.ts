import type DataLoader from 'dataloader';
import type { AbortSignalLike } from '../async/abort-signal.js';
import { UnauthenticatedError } from '../errors/errors.js';
import { Warnings } from './warnings.js';

/**
 * The state of one request that resolvers share: the caller, and the loaders that batch the fields of a list into one
 * query. The HTTP layer creates it for each request and each subscription.
 */
export interface RequestContext<V = unknown> {
  /** Throws UNAUTHENTICATED if there is no authenticated user. */
  readonly viewer: V;
  /** The id to use for the object that this request creates, reserved for an idempotency key. Undefined: any id. */
  readonly reservedId: string | undefined;
  /** The authenticated user or null, for operations that need no login. */
  readonly caller: V | null;
  /** The base URL at which the caller reached the service, without a trailing slash. Empty if unknown. */
  readonly origin: string;
  /** The IP address of the caller; undefined if unknown. */
  readonly address: string | undefined;
  /** The header `User-Agent`; undefined if unknown. */
  readonly userAgent: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignalLike;
  /** Seconds that the client waits for the end of the run that it starts (`Prefer: wait=n`), 0-60. 0: it does not wait. */
  readonly waitSeconds: number;
  /** Must be called before a wait of seconds, so that the request no longer counts as one in progress. */
  onWait(): void;
  /** Whether resolvers may return response bytes instead of values. */
  readonly takesBytes: boolean;
  /** Whether mutations throw refusals instead of returning them in their payload, as the REST layer requires. */
  readonly throwsRefusals: boolean;
  /** The warnings about the request. A context with a reserved id shares them; the one for the next event of a subscription has none. */
  readonly warnings: Warnings;
  /** Returns the loader with this name, created at its first use in the request. */
  loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T>;
  /** Returns a context of the same caller with empty loaders, for the next event of a subscription. */
  withFreshLoaders(): RequestContext<V>;
  /** Returns a context of the same request with a reserved id. */
  withReservedId(id: string): RequestContext<V>;
}

/** The HTTP exchange of a request. Functions are evaluated at their first use. */
export interface HttpExchange {
  origin: () => string;
  /** The IP address of the client. */
  address?: string | undefined;
  userAgent?: string | undefined;
  /** Aborts when the connection closes. */
  signal: () => AbortSignalLike;
  waitSeconds?: number;
  onWait?: () => void;
  takesBytes: boolean;
  throwsRefusals: boolean;
}

/** For contexts without a connection. */
export const NO_HTTP_EXCHANGE: HttpExchange = {
  origin: () => '',
  signal: () => new AbortController().signal,
  takesBytes: false,
  throwsRefusals: false,
};

/**
 * A class, because Apollo copies the context for each operation. The copy evaluates own getters, loses private members,
 * and keeps members of the prototype.
 */
class ScopedContext<V> implements RequestContext<V> {
  loaders: Map<string, unknown> | undefined;

  constructor(
    readonly caller: V | null,
    readonly exchange: HttpExchange,
    readonly reservedId: string | undefined = undefined,
    readonly warnings = new Warnings(),
  ) {}

  get origin(): string {
    return this.exchange.origin();
  }

  get address(): string | undefined {
    return this.exchange.address;
  }

  get userAgent(): string | undefined {
    return this.exchange.userAgent;
  }

  get signal(): AbortSignalLike {
    return this.exchange.signal();
  }

  get waitSeconds(): number {
    return this.exchange.waitSeconds ?? 0;
  }

  onWait(): void {
    this.exchange.onWait?.();
  }

  get takesBytes(): boolean {
    return this.exchange.takesBytes;
  }

  get throwsRefusals(): boolean {
    return this.exchange.throwsRefusals;
  }

  get viewer(): V {
    if (this.caller === null) throw new UnauthenticatedError();
    return this.caller;
  }

  loader<K, T>(name: string, create: () => DataLoader<K, T>): DataLoader<K, T> {
    this.loaders ??= new Map();
    const existing = this.loaders.get(name) as DataLoader<K, T> | undefined;
    if (existing) return existing;
    const created = create();
    this.loaders.set(name, created);
    return created;
  }

  withFreshLoaders(): RequestContext<V> {
    return new ScopedContext(this.caller, this.exchange);
  }

  withReservedId(id: string): RequestContext<V> {
    return new ScopedContext(this.caller, this.exchange, id, this.warnings);
  }
}

/** Creates the context of a request. `caller` null: not authenticated. */
export function createContext<V>(caller: V | null, exchange = NO_HTTP_EXCHANGE): RequestContext<V> {
  return new ScopedContext(caller, exchange);
}

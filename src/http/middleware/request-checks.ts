import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RestError, restErrorOf, restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { maintenanceRefusal } from '../../modules/maintenance/maintenance.service.js';
import type { Maintenance } from '../../modules/maintenance/maintenance.type.js';
import type { ClientAddress } from '../client-address.js';
import type { ArrivalListener, FastLane } from '../fast-lane.js';
import type { Lifecycle } from '../health.js';
import type { ArrivingRequests } from './arriving-requests.js';
import type { LoadLimit } from './load-limit.js';
import type { Middleware } from './middleware.js';

/** The error of a process that accepts no requests in its phase; null if it accepts them, also while load balancers still send some. */
export function phaseRefusal({ phase }: Lifecycle): RestError | null {
  if (phase === 'ready' || phase === 'leaving') return null;
  return { ...restErrors.UNAVAILABLE, detail: `The service is ${phase}.`, retryAfter: 1 };
}

/** HTTP/1.1 requires exactly one Host header (RFC 9112, section 3.2). With two, a proxy may have used the other one. */
export const hostCheck: Middleware = (request, response, next) => {
  if (hasRepeatedHost(request))
    return sendRestError(response, { ...restErrors.PARSE_ERROR, detail: 'The header Host may be sent once only.' });
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  sendRestError(response, { ...restErrors.PARSE_ERROR, detail: 'The header Host is required.' });
};

/** Reads the raw headers, because Node silently keeps only the first Host header. */
export function hasRepeatedHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Rejects requests unless the process accepts them. While it shuts down, clients are asked to close their connection. */
export function phaseCheck(lifecycle: Lifecycle): Middleware {
  return (_request, response, next) => {
    const refusal = phaseRefusal(lifecycle);
    if (lifecycle.phase === 'leaving' || lifecycle.phase === 'draining') response.setHeader('Connection', 'close');
    if (!refusal) return next();
    sendRestError(response, refusal);
  };
}

/** Sent before the body is read or the database is used. */
export const overloaded: RestError = {
  ...restErrors.UNAVAILABLE,
  detail: 'The service is overloaded.',
  retryAfter: 1,
};

const tooManyArriving: RestError = {
  ...restErrors.UNAVAILABLE,
  detail: 'Too many requests of this client address have not arrived completely.',
  retryAfter: 1,
};

/** Paths of model calls. Their duration depends on the provider and does not indicate the load of this process. */
const MODEL_PREFIX = '/v1/';

/** By response: its request in the limits. */
const countedRequests = new WeakMap<ServerResponse, CountedRequest>();

/** Stops counting a response as a request in progress, because it stays open as a stream. */
export function releaseFromLimit(response: ServerResponse): void {
  countedRequests.get(response)?.release();
}

export interface RequestLimits {
  load: Pick<LoadLimit, 'isReached' | 'enter' | 'leave'>;
  arriving: ArrivingRequests;
  addressOf: ClientAddress;
  onArrival: FastLane['onArrival'];
}

/**
 * Rejects requests above the load limit. A request is in progress from the arrival of its whole body until its response is closed or
 * released: clients decide how long a body takes to arrive. Before that, it is only counted by client network.
 */
export function concurrencyLimit(limits: RequestLimits): Middleware {
  const { load, arriving, addressOf, onArrival } = limits;
  return (request, response, next) => {
    if (load.isReached) return sendRestError(response, overloaded);
    const address = addressOf(request);
    const isComplete = !hasBody(request);
    if (!isComplete && !arriving.tryEnter(address)) return sendRestError(response, tooManyArriving);
    const counted = new CountedRequest(limits, address, !request.url?.startsWith(MODEL_PREFIX));
    countedRequests.set(response, counted);
    if (isComplete) counted.enter();
    else onArrival(request, counted);
    response.on('close', () => counted.close());
    next();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** The state of one request in the limits. */
class CountedRequest implements ArrivalListener {
  #state: 'arriving' | 'in progress' | 'released' = 'arriving';
  #since = 0;

  constructor(
    private readonly limits: Pick<RequestLimits, 'load' | 'arriving'>,
    private readonly address: string | undefined,
    private readonly isMeasured: boolean,
  ) {}

  /** Called when the whole request has arrived. */
  handleArrival(): void {
    if (this.#state !== 'arriving') return;
    this.limits.arriving.leave(this.address);
    this.enter();
  }

  enter(): void {
    this.#state = 'in progress';
    this.#since = performance.now();
    this.limits.load.enter();
  }

  /** Called when the response is closed. */
  close(): void {
    this.release(this.isMeasured ? performance.now() - this.#since : undefined);
  }

  release(tookMs?: number): void {
    const { load, arriving } = this.limits;
    if (this.#state === 'arriving') arriving.leave(this.address);
    if (this.#state === 'in progress') load.leave(tookMs);
    this.#state = 'released';
  }
}

/** Rejects REST requests during maintenance. GraphQL has its own check, because an operation there ends the maintenance. */
export function maintenanceCheck(maintenance: { readonly current: Maintenance }): Middleware {
  return (_request, response, next) => {
    const { current } = maintenance;
    if (!current.isOn) return next();
    sendRestError(response, restErrorOf(maintenanceRefusal(current)) ?? restErrors.UNAVAILABLE);
  };
}

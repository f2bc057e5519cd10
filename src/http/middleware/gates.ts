import type { IncomingMessage } from 'node:http';
import { type RestError, restErrorOf, restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { maintenanceRefusal } from '../../modules/maintenance/maintenance.service.js';
import type { Maintenance } from '../../modules/maintenance/maintenance.type.js';
import type { Lifecycle } from '../health.js';
import type { LoadLimit } from './load-limit.js';
import type { Step } from './step.js';

/** Why this process takes no requests at present; null when it does. */
export function phaseRefusal({ phase }: Lifecycle): RestError | null {
  if (phase === 'ready' || phase === 'leaving') return null;
  return { ...restErrors.UNAVAILABLE, detail: `The service is ${phase}.`, retryAfter: 1 };
}

/** HTTP/1.1 demands to be told which host is meant, and once: a proxy may have read another one (RFC 9112, section 3.2). */
export const hostGate: Step = (request, response, next) => {
  if (hasTwoHosts(request))
    return sendRestError(response, { ...restErrors.PARSE_ERROR, detail: 'The header Host may be sent once only.' });
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  sendRestError(response, { ...restErrors.PARSE_ERROR, detail: 'The header Host is required.' });
};

/** Node keeps the first one and says nothing. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** A process that ends tells each client to come back elsewhere, on another connection. */
export function phaseGate(lifecycle: Lifecycle): Step {
  return (_request, response, next) => {
    const refusal = phaseRefusal(lifecycle);
    if (lifecycle.phase === 'leaving' || lifecycle.phase === 'draining') response.setHeader('Connection', 'close');
    if (!refusal) return next();
    sendRestError(response, refusal);
  };
}

/** What this process cannot do in time is refused at once, before anything is read or asked for it. */
export const overloaded: RestError = {
  ...restErrors.UNAVAILABLE,
  detail: 'The service is overloaded.',
  retryAfter: 1,
};

/** A completion takes as long as its model takes: that says nothing about the load of this process. */
const OF_OTHERS = '/v1/chat/';

export function concurrencyLimit(load: LoadLimit): Step {
  return (request, response, next) => {
    if (load.isReached) return sendRestError(response, overloaded);
    load.enter();
    const since = request.url?.startsWith(OF_OTHERS) ? undefined : performance.now();
    response.on('close', () => load.leave(since === undefined ? undefined : performance.now() - since));
    next();
  };
}

/** REST alone: GraphQL has the one operation that ends the maintenance. */
export function maintenanceGate(maintenance: { readonly current: Maintenance }): Step {
  return (_request, response, next) => {
    const { current } = maintenance;
    if (!current.isOn) return next();
    sendRestError(response, restErrorOf(maintenanceRefusal(current)) ?? restErrors.UNAVAILABLE);
  };
}

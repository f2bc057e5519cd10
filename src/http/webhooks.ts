import type { ServerResponse } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { restErrors } from '../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../rest-compat/runtime/send-error.js';
import { MAX_BODY_BYTES } from '../modules/triggers/trigger-settings.js';
import type { WebhookAnswer } from '../modules/triggers/webhook/run-reply.js';
import { recordOutcome } from '../platform/tracing/work-context.js';
import type { ClientAddress } from './client-address.js';
import { disconnectSignalGetter } from './disconnect-signal.js';
import { maintenanceCheck, releaseFromLimit } from './middleware/request-checks.js';
import type { HttpServices } from './options.js';
import { wholeBody } from './whole-body.js';

/** Statuses of refusals that count against the limit of a client address: they answer guesses of secrets and addresses. */
const COUNTED_REFUSALS = new Set([401, 404]);

/**
 * `/hooks/{token}` with any method: calls of webhooks. They need no credentials of the service; a trigger verifies its calls. Calls with a
 * wrong address or secret are limited by client address as requests with invalid keys are.
 */
export function webhookRoutes(services: HttpServices, addressOf: ClientAddress): Router {
  const { webhooks, anonymousLimit, maintenance } = services;
  const receive: RequestHandler<{ token: string }> = async (request, response) => {
    recordOutcome({ route: '/hooks/{token}' });
    const address = addressOf(request);
    const seconds = anonymousLimit.secondsToWait(address);
    if (seconds > 0) return sendRestError(response, { ...restErrors.RATE_LIMITED, retryAfter: seconds });
    const answer = await webhooks.receive({
      token: request.params.token,
      method: request.method,
      headers: headersOf(request.headers),
      query: request.query as Record<string, string | string[]>,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      onWait: () => releaseFromLimit(response),
      signal: disconnectSignalGetter(response)(),
    });
    if (answer.isRefusal && COUNTED_REFUSALS.has(answer.status)) anonymousLimit.count(address);
    send(response, answer);
  };
  const router = Router();
  router.all(
    '/hooks/:token',
    maintenanceCheck(maintenance),
    wholeBody({ limit: MAX_BODY_BYTES, type: () => true }),
    receive,
  );
  return router;
}

function headersOf(headers: NodeJS.Dict<string | string[]>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/** A text has the type `text/plain` unless the answer sets another one. Browsers never render an answer as a page of this service. */
function send(response: ServerResponse, { status, headers, body }: WebhookAnswer): void {
  const isText = typeof body === 'string';
  response.statusCode = status;
  response.setHeader('Content-Type', isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(status === 204 || status === 304 ? undefined : isText ? body : JSON.stringify(body));
}

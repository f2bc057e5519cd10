import { type RequestHandler, type Response, Router } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { PAGE_POLICY } from '../../modules/triggers/form/form-page.js';
import type { FormAnswer } from '../../modules/triggers/form/form-receiver.js';
import { recordOutcome } from '../../platform/tracing/work-context.js';
import type { ClientAddress } from '../client-address.js';
import { disconnectSignalGetter } from '../disconnect-signal.js';
import { maintenanceCheck, releaseFromLimit } from '../middleware/request-checks.js';
import type { HttpServices } from '../options.js';
import { wholeBody } from '../whole-body.js';

/** Maximum bytes of a submission with its files. */
const MAX_FORM_BYTES = 10 * 1_048_576;

/**
 * `/forms/{token}`: the pages of form triggers, and their submissions. They need no credentials. Requests to unknown addresses and
 * rejected submissions are limited by client address, as calls of webhooks are.
 */
export function formRoutes({ forms, anonymousLimit, maintenance }: HttpServices, addressOf: ClientAddress): Router {
  const handle: RequestHandler<{ token: string }> = async (request, response) => {
    recordOutcome({ route: '/forms/{token}' });
    const address = addressOf(request);
    const seconds = anonymousLimit.secondsToWait(address);
    if (seconds > 0) return sendRestError(response, { ...restErrors.RATE_LIMITED, retryAfter: seconds });
    const { token } = request.params;
    const answer =
      request.method === 'POST'
        ? await forms.submit(token, {
            contentType: request.headers['content-type'] ?? '',
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            onWait: () => releaseFromLimit(response),
            signal: disconnectSignalGetter(response)(),
          })
        : await forms.show(token);
    if (answer.status === 404 || answer.status === 400) anonymousLimit.count(address);
    send(response, answer);
  };
  const router = Router();
  const check = maintenanceCheck(maintenance);
  router.get('/forms/:token', check, handle);
  router.post('/forms/:token', check, wholeBody({ limit: MAX_FORM_BYTES, type: () => true }), handle);
  return router;
}

function send(response: Response, { status, html }: FormAnswer): void {
  response.status(status);
  response.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': PAGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // The address is the only credential of a form, so links on the page must not reveal it.
    'Referrer-Policy': 'no-referrer',
  });
  response.end(html);
}

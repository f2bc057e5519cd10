import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import { createRestHandler, isBelowRest, type RestHandlerOptions } from '../../rest-compat/runtime/handler.js';
import { isMultipart, readContentType } from '../../rest-compat/runtime/input/content-type.js';
import { unknownMember } from '../engine/nearest-name.js';
import { domainErrorOf } from '../graphql/errors.js';
import type { RequestContext } from '../modules/accounts/request-context.js';
import { SourceJson } from '../platform/json/source-json.js';
import { shortenedIn } from '../platform/lists/page-bytes.js';
import { currentRequestId } from '../platform/requests/request-id.js';
import { recordOutcome } from '../platform/tracing/work-context.js';
import type { ClientAddress } from './client-address.js';
import type { SignalFactory } from './fast-lane.js';
import type { Middleware } from './middleware/middleware.js';
import { maintenanceCheck } from './middleware/request-checks.js';
import type { HttpOptions, HttpServices } from './options.js';
import { pathOf } from './url-path.js';
import { wholeBody } from './whole-body.js';

/** The Express router of REST. The generated operations in it use their own compiled router. */
export function restRouter(
  services: HttpServices,
  operations: RestHandlerOptions<RequestContext>,
  maxBodyBytes: number,
): Router {
  const router = Router();
  const onlyRest: Middleware = (request, _response, next) => (isBelowRest(request.url ?? '') ? next() : next('router'));
  // The routes that accept file uploads stream multipart bodies themselves.
  const isOneBody = (request: IncomingMessage) => !isMultipart(readContentType(request.headers['content-type']).type);
  router.use(onlyRest, maintenanceCheck(services.maintenance), wholeBody({ type: isOneBody, limit: maxBodyBytes }));
  router.use(createRestHandler(operations));
  return router;
}

/** The options of the REST handler, connected to the services of the product. */
export function restOperations(
  { schema, identity, keys, spool }: HttpServices,
  addressOf: ClientAddress,
  { log }: Pick<HttpOptions, 'log'>,
  createSignal: SignalFactory,
): RestHandlerOptions<RequestContext> {
  return {
    schema,
    contextFor: (request, auth, response) => {
      const { headers } = request;
      const signal = createSignal(response);
      return identity.restContextFor({ headers, address: addressOf(request), cost: 1, response, signal }, auth);
    },
    callerOf: context => (context.caller?.via === 'jwt' ? 'jwt' : 'key'),
    idempotency: {
      once: (context, key, request, work) =>
        keys.once(context.viewer, key, request, reservedId => work(context.withReservedId(reservedId))),
    },
    parseBody: (text, value, utf8) => new SourceJson(text, value, utf8),
    receiveFile: (content, filename) => spool.receive(content, filename),
    toKnownError: domainErrorOf,
    shortenedIdsOf: shortenedIn,
    onNames: ({ warnings }, { unknown, isStrict, toRestPath }) => {
      warnings.isStrict = isStrict;
      warnings.report(unknown.map(({ path, name, known }) => ({ path, message: unknownMember(name, known) })));
      warnings.toRequestPath = toRestPath;
    },
    warningsOf: ({ warnings }) => warnings.toHeader(),
    onRoute: ({ path }) => recordOutcome({ route: path }),
    onInnerStatus: status => recordOutcome({ inner: String(status) }),
    onError: (error, request) => {
      const path = pathOf(request);
      log.error({ err: error, requestId: currentRequestId(), method: request.method, path }, 'REST operation failed');
    },
  };
}

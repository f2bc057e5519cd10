import { isUtf8 } from 'node:buffer';
import { type HttpCaller, type HttpResponseForm, PortError } from '../engine/ports.js';
import { decodeBody } from '../engine/text/decode.js';
import { OutboundError } from '../platform/outbound/errors.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import { storableText } from './storable-text.js';

/** Idempotent methods (RFC 9110, section 9.2.2). Requests with other methods get an idempotency key. */
const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Creates the HTTP client of nodes. It follows redirects, returns texts decoded and other bodies as bytes, and throws a
 * PortError for a request without an answer.
 */
export function createHttpCaller(outbound: Outbound): HttpCaller {
  return {
    async request(request, { signal, idempotencyKey }) {
      const { method, url, body, maxResponseBytes, response = 'auto', checkRedirect } = request;
      const headers = { ...request.headers };
      const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'idempotency-key');
      if (!hasKey && !IDEMPOTENT_METHODS.has(method.toUpperCase())) headers['idempotency-key'] = idempotencyKey;
      const answer = await outbound
        .request({ method, url, headers, body, signal, maxResponseBytes, followRedirects: true, checkRedirect })
        .catch((error: unknown) => {
          if (!(error instanceof OutboundError)) throw error;
          throw error.cause instanceof PortError ? error.cause : new PortError(error.code, error.message);
        });
      const { status, headers: received, body: bytes } = answer;
      if (isBinary(response, bytes, received['content-type'])) return { status, headers: received, body: '', bytes };
      return { status, headers: received, body: storableText(decodeBody(bytes, received['content-type'])) };
    },
  };
}

/** Media types whose body is text. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$|application\/(?:javascript|x-www-form-urlencoded|x-ndjson|graphql|x-yaml)$|image\/svg\+xml$)/;
/** Media types that say nothing about the content, so that its bytes decide. */
const UNKNOWN_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

function isBinary(form: HttpResponseForm, bytes: Buffer, contentType = ''): boolean {
  if (form !== 'auto') return form === 'bytes';
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (bytes.length === 0 || TEXT_TYPE.test(type)) return false;
  return !UNKNOWN_TYPES.has(type) || !isUtf8(bytes) || bytes.includes(0);
}

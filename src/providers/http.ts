import { type HttpCaller, PortError } from '../engine/ports.js';
import { OutboundError } from '../platform/outbound/errors.js';
import type { Outbound } from '../platform/outbound/outbound.js';
import { storableText } from './storable-text.js';

/** Idempotent methods (RFC 9110, section 9.2.2). Requests with other methods get an idempotency key. */
const IDEMPOTENT_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

export function createHttpCaller(outbound: Outbound): HttpCaller {
  return {
    async request(request, { signal, idempotencyKey }) {
      const { method, url, body, maxResponseBytes } = request;
      const headers = { ...request.headers };
      const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'idempotency-key');
      if (!hasKey && !IDEMPOTENT_METHODS.has(method.toUpperCase())) headers['idempotency-key'] = idempotencyKey;
      const answer = await outbound
        .request({ method, url, headers, body, signal, maxResponseBytes, followRedirects: true })
        .catch((error: unknown) => {
          throw error instanceof OutboundError ? new PortError(error.code, error.message) : error;
        });
      return {
        status: answer.status,
        headers: answer.headers,
        body: storableText(decode(answer.body, answer.headers['content-type'])),
      };
    },
  };
}

/** Decodes with the charset of the content type, by default UTF-8. Invalid bytes become replacement characters. */
function decode(body: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

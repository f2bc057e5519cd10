export type OutboundErrorCode =
  | 'address_refused'
  | 'dns_failed'
  | 'connection_failed'
  | 'timeout'
  | 'response_too_large'
  | 'too_many_redirects'
  | 'bad_url'
  | 'bad_request'
  | 'bad_response';

/**
 * A call that got no response. Users may see the message: it contains no resolved address, URL or header, because these
 * may be secret.
 */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}

export const timedOut = (ms: number) => new OutboundError('timeout', `No answer within ${ms / 1000} s.`);

const dnsCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL']);
const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const invalidHttp = /^(HPE_|Z_|ERR_BROTLI|ERR__ERROR|ZSTD|ERR_ZSTD|UND_ERR_(RES|HEADERS_OVERFLOW|RESPONSE))/;

/** Converts errors of the HTTP client, the resolver, TLS or the decoders. */
export function toOutboundError(error: unknown): OutboundError {
  const own = findOwn(error);
  if (own) return own;
  const code = codeOf(error);
  if (dnsCodes.has(code)) return new OutboundError('dns_failed', 'The host name was not found.', { cause: error });
  if (timeoutCodes.has(code))
    return new OutboundError('timeout', 'The server did not answer in time.', { cause: error });
  if (invalidHttp.test(code) || (error as Error | null)?.name === 'HTTPParserError')
    return new OutboundError('bad_response', "The server's answer is not valid HTTP.", { cause: error });
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED')
    return new OutboundError('bad_request', 'The request is not valid HTTP.', { cause: error });
  const detail = code === '' ? '' : ` (${code === 'UND_ERR_SOCKET' ? 'the server closed it' : code})`;
  return new OutboundError('connection_failed', `The connection failed${detail}.`, { cause: error });
}

/** Finds an OutboundError that the HTTP client passes on, unchanged or as the cause of its own error. */
function findOwn(error: unknown): OutboundError | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 4; depth++) {
    if (at instanceof OutboundError) return at;
    at = (at as { cause?: unknown }).cause;
  }
  return undefined;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : '';
}

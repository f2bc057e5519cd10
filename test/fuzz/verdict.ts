import { declarationFault } from '../rest/declared-answers.js';
import { badInput } from './bad-input.js';
import type { HttpAnswer, SentRequest } from './http-client.js';
import type { Caller } from './rest-cases.js';
import type { RestOperation } from './rest-operations.js';

/** Traces of internals: stacks, file names, SQL, messages of PostgreSQL. */
const INSIDE =
  /\bat \S+ \(|\.[jt]s:\d+|node_modules|\/(src|build|dist)\/|\bselect\s.{1,80}\sfrom\s|\binsert into\b|\bupdate \w+ set\b|SQLSTATE|violates \w+ constraint|relation "|syntax error at or near|invalid input syntax|MikroORM|QueryFailed/i;

/** Paths up to this length fit into the 16 KiB that Node accepts as headers. */
const LONGEST_PATH = 8_000;

/** The fault in an answer to any request; null if there is none. */
export function anyFault({ status, headers, text }: HttpAnswer): string | null {
  if (status >= 500) return `the status ${status}`;
  const trace = INSIDE.exec(text)?.[0];
  if (trace !== undefined) return `a trace of the inside: ${trace}`;
  if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
  if (text !== '' && !String(headers['content-type']).includes('json')) return `type ${headers['content-type']}`;
  return null;
}

/** The fault in the answer to a REST request; null if there is none. */
export function restFault(
  operation: RestOperation,
  request: SentRequest,
  caller: Caller,
  answer: HttpAnswer,
): string | null {
  const fault = anyFault(answer);
  if (fault) return fault;
  const { method, route } = operation;
  const body: unknown = answer.text === '' ? null : JSON.parse(answer.text);
  // A body with a wrong content encoding is refused before routing, also on routes that take no body.
  if (request.headers['Content-Encoding'] && [400, 415].includes(answer.status)) return null;
  // A path that is too long is refused before routing.
  if (answer.status === 431 && request.path.length > LONGEST_PATH) return null;
  const undeclared = declarationFault(method, route, { status: answer.status, body });
  if (undeclared) return undeclared;
  if (answer.status < 300 && !mayCall(operation, caller)) return `let in ${caller}`;
  if (statusOf(answer.status, body, operation) >= 400) return null;
  const bad = badInput(operation, request);
  return bad === null ? null : `took what it must refuse: ${bad}`;
}

function mayCall({ auth }: RestOperation, caller: Caller): boolean {
  if (auth === 'none') return true;
  return auth === 'service' ? caller === 'service' : !['anonymous', 'wrong', 'service'].includes(caller);
}

/** Runs and checks of graphs report refusals inside a 200. */
function statusOf(status: number, body: unknown, { bodySchema, takesRunInput }: RestOperation): number {
  const isEnvelope = takesRunInput || bodySchema?.anyOf !== undefined;
  return isEnvelope && typeof body === 'object' && body !== null && 'status' in body ? Number(body.status) : status;
}

/** The failure of a case, with all that is needed to repeat the request. */
export function failure(fault: string, { method, path, headers, body }: SentRequest, answer: HttpAnswer): Error {
  const shown = body !== undefined && body.length > 2_000 ? `${body.slice(0, 2_000)}… (${body.length})` : body;
  return new Error(
    `${fault}\nsent: ${method} ${path}\n${JSON.stringify(headers)}\n${shown}\nanswered: ${answer.status} ${answer.text.slice(0, 1_000)}`,
  );
}

import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

/** An error as screens show it. */
export interface Problem {
  message: string;
  /** The code of the API, for example NOT_FOUND, or HTTP_503 for a response without one. Null for other errors. */
  code: string | null;
  /** Names the request in the log of the service. */
  requestId: string | null;
  /** Messages by input member. */
  fields: Record<string, string[]>;
}

const requestIds = new WeakMap<object, string>();

/** Keeps the request id of an error for `problemOf`. The client calls it for every failed request. */
export function noteRequestId(error: unknown, requestId: string | null): void {
  if (requestId !== null && typeof error === 'object' && error !== null) requestIds.set(error, requestId);
}

/** Converts an error of the API or the network to the form that screens show. */
export function problemOf(error: unknown): Problem {
  const notedId = typeof error === 'object' && error !== null ? (requestIds.get(error) ?? null) : null;
  if (CombinedGraphQLErrors.is(error)) {
    const [first] = error.errors;
    const { code, fields, requestId } = (first?.extensions ?? {}) as {
      code?: string;
      fields?: Record<string, string[]>;
      requestId?: string;
    };
    return {
      message: first?.message ?? 'The service reported an error.',
      code: code ?? null,
      requestId: requestId ?? notedId,
      fields: fields ?? {},
    };
  }
  if (ServerError.is(error)) {
    return { message: serverMessage(error), code: `HTTP_${error.statusCode}`, requestId: notedId, fields: {} };
  }
  const isNetwork = error instanceof TypeError;
  const message = isNetwork ? 'The service cannot be reached.' : error instanceof Error ? error.message : String(error);
  return { message, code: null, requestId: notedId, fields: {} };
}

/** Why a run was refused: a fault of its input or of a node. */
export interface StartIssue {
  nodeId: string | null;
  path: string | null;
  message: string;
}

/** A refusal in the payload of a mutation. That of a run has its reasons as issues. */
export interface Refusal {
  message: string;
  issues?: readonly StartIssue[];
}

/** What refusals say, with the field or node of each reason. */
export function refusalText(refusals: readonly Refusal[]): string {
  return refusals
    .flatMap(({ message, issues = [] }) => (issues.length === 0 ? [message] : issues.map(issueText)))
    .join(' ');
}

function issueText(issue: StartIssue): string {
  return `${faultyPath(issue) ?? issue.nodeId ?? 'Graph'}: ${issue.message}.`;
}

/** The path of the setting or the input field at fault. */
export const faultyPath = ({ path }: StartIssue): string | undefined => path?.replace(/^input_fields\./, '');

/** Throws the refusals in the payload of a mutation, which has one root field. */
export function assertAccepted(data: object | null | undefined): void {
  const [payload] = Object.values(data ?? {}) as ({ errors?: readonly Refusal[] } | null)[];
  const refusals = payload?.errors ?? [];
  if (refusals.length > 0) throw new Error(refusalText(refusals));
}

function serverMessage({ bodyText, statusCode }: ServerError): string {
  try {
    const body = JSON.parse(bodyText) as { detail?: string; errors?: { message: string }[] };
    return body.errors?.[0]?.message ?? body.detail ?? `The service answered ${statusCode}.`;
  } catch {
    return `The service answered ${statusCode}.`;
  }
}

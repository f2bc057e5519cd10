import { isUuid } from '../../../platform/crypto/uuid.js';
import { isRpcId, type RpcId } from './json-rpc.js';

/** A call whose events a client receives. */
export interface FollowedCall {
  runId: string;
  requestId: RpcId;
  /** Undefined: the client wants no progress. */
  progressToken: RpcId | undefined;
}

/** A position in the events of a call. `sequence` is the number of a change of the run. */
export interface EventPosition {
  sequence: number;
  call: FollowedCall;
}

/**
 * The sequence and the call in base64url. Two ids of 200 characters that JSON escapes, such as U+0001, are the longest
 * call: 3,262 characters.
 */
const EVENT_ID = /^(\d{1,9})\.([\w-]{1,3262})$/;

/** The id of an event names its run and request, so that every process can resume the stream. */
export function toEventId(sequence: number, { runId, requestId, progressToken }: FollowedCall): string {
  const call = [runId, requestId, ...(progressToken === undefined ? [] : [progressToken])];
  return `${sequence}.${Buffer.from(JSON.stringify(call)).toString('base64url')}`;
}

/** Undefined: the text is not an id of `toEventId`. */
export function parseEventId(text: string): EventPosition | undefined {
  const [, sequence, encoded] = EVENT_ID.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const call: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (!Array.isArray(call)) return undefined;
    const [runId, requestId, progressToken] = call as unknown[];
    if (!isUuid(runId) || !isRpcId(requestId)) return undefined;
    return {
      sequence: Number(sequence),
      call: { runId, requestId, progressToken: isRpcId(progressToken) ? progressToken : undefined },
    };
  } catch {
    return undefined;
  }
}

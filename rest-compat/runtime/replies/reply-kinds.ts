import type { ReplyKind } from '../route.js';
import { replyCreatedOrAccepted } from './created-or-accepted.js';
import { replyEmpty } from './empty.js';
import { replyEnvelopeStatus } from './envelope-status.js';
import { replyJson } from './json.js';
import type { BuildReply } from './reply.js';

/** The replies that can be stored for idempotency. A VERBATIM reply may be a stream and is sent directly. */
export const replyKinds: Record<Exclude<ReplyKind, 'VERBATIM'>, BuildReply> = {
  JSON: replyJson,
  EMPTY: replyEmpty,
  ENVELOPE_STATUS: replyEnvelopeStatus,
  CREATED_OR_ACCEPTED: replyCreatedOrAccepted,
};

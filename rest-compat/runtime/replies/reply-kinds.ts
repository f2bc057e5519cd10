import type { ReplyKind } from '../route.js';
import { replyEmpty } from './empty.js';
import { replyEnvelopeStatus } from './envelope-status.js';
import { replyJson } from './json.js';
import type { Reply } from './reply.js';

export const replyKinds: Record<ReplyKind, Reply> = {
  JSON: replyJson,
  EMPTY: replyEmpty,
  ENVELOPE_STATUS: replyEnvelopeStatus,
};

import type { ReplyKind } from '../route.js';
import { replyEmpty } from './empty.js';
import { replyEnvelopeStatus } from './envelope-status.js';
import { replyJson } from './json.js';
import type { MakeReply } from './reply.js';

export const replyKinds: Record<ReplyKind, MakeReply> = {
  JSON: replyJson,
  EMPTY: replyEmpty,
  ENVELOPE_STATUS: replyEnvelopeStatus,
};

import { jsonText } from '../send-json.js';
import type { MakeReply } from './reply.js';

/** A re-run that was refused is HTTP 400 or 402 with the envelope that a run would have got inside its 200. */
export const replyEnvelopeStatus: MakeReply = (route, value) => {
  const inner = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined;
  return { status: inner === 201 ? route.status : inner === 402 ? 402 : 400, text: jsonText(value) };
};

import { jsonText } from '../send-json.js';
import type { BuildReply } from './reply.js';

/** Responds with the HTTP status of the route, 402 or 400, according to the inner status of the envelope. */
export const replyEnvelopeStatus: BuildReply = (route, value) => {
  const inner = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined;
  return { status: inner === 201 ? route.status : inner === 402 ? 402 : 400, text: jsonText(value) };
};

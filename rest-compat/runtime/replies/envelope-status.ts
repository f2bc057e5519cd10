import { jsonText } from '../send-json.js';
import type { MakeReply } from './reply.js';

/** A re-run that was refused is HTTP 400 with the envelope that a run would have got inside its 200. */
export const replyEnvelopeStatus: MakeReply = (route, value) => {
  const isAccepted = typeof value === 'object' && value !== null && 'status' in value && value.status === 201;
  return { status: isAccepted ? route.status : 400, text: jsonText(value) };
};

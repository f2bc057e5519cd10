import { sendJson } from '../send-json.js';
import type { Reply } from './reply.js';

/** A re-run that was refused is HTTP 400 with the envelope that a run would have got inside its 200. */
export const replyEnvelopeStatus: Reply = (res, route, value) => {
  const isAccepted = typeof value === 'object' && value !== null && 'status' in value && value.status === 201;
  sendJson(res, isAccepted ? route.status : 400, value);
};

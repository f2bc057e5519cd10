import { jsonText } from '../send-json.js';
import type { BuildReply } from './reply.js';

/** Responds 202 when the value has `is_pending` true, otherwise with the status of the route. */
export const replyCreatedOrAccepted: BuildReply = (route, value) => {
  const isPending = typeof value === 'object' && value !== null && 'is_pending' in value && value.is_pending === true;
  return { status: isPending ? 202 : route.status, text: jsonText(value) };
};

import { jsonText } from '../send-json.js';
import type { MakeReply } from './reply.js';

/** 202 for a value that waits for somebody's consent, the status of the route for one that is there. */
export const replyCreatedOrAccepted: MakeReply = (route, value) => {
  const isPending = typeof value === 'object' && value !== null && 'is_pending' in value && value.is_pending === true;
  return { status: isPending ? 202 : route.status, text: jsonText(value) };
};

import { sendJson } from '../send-json.js';
import type { Reply } from './reply.js';

export const replyJson: Reply = (res, route, value) => sendJson(res, route.status, value);

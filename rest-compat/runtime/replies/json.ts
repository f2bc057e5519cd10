import { jsonText } from '../send-json.js';
import type { MakeReply } from './reply.js';

export const replyJson: MakeReply = (route, value) => ({ status: route.status, text: jsonText(value) });

import type { MakeReply } from './reply.js';

export const replyEmpty: MakeReply = route => ({ status: route.status, text: null });

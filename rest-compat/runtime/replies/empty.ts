import type { MakeReply } from './reply.js';

/** Responds without a body. */
export const replyEmpty: MakeReply = route => ({ status: route.status, text: null });

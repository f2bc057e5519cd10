import type { BuildReply } from './reply.js';

/** Responds without a body. */
export const replyEmpty: BuildReply = route => ({ status: route.status, text: null });

import type { Reply } from './reply.js';

export const replyEmpty: Reply = (res, route) => {
  res.statusCode = route.status;
  res.end();
};

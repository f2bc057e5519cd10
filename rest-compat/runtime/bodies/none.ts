import type { ReadBody } from './body-request.js';

/** Ignores the body. */
export const readNoBody: ReadBody = () => ({});

import type { ReadBody } from './body-request.js';

export const readNoBody: ReadBody = () => ({});

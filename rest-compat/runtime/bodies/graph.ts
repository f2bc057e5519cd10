import type { ReadBody } from './body-request.js';
import { readJsonBody } from './json.js';

/** Reads a graph: either the whole body, or the member `data` of a body without `nodes`. */
export const readGraph: ReadBody = request => {
  const body = readJsonBody(request);
  if (request.bytes.length === 0) return {};
  return Object.hasOwn(body, 'data') && !Object.hasOwn(body, 'nodes') ? body : { data: body };
};

import type { ReadBody } from './body-request.js';
import { readJsonBody } from './json.js';

/**
 * A graph as the whole body, or wrapped in `data` with other members beside it. A graph has `nodes`: a body that has
 * `data` and no `nodes` is a wrapped one.
 */
export const readGraph: ReadBody = request => {
  const body = readJsonBody(request);
  if (request.bytes.length === 0) return {};
  return Object.hasOwn(body, 'data') && !Object.hasOwn(body, 'nodes') ? body : { data: body };
};

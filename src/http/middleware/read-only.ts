import type { Handler } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';

const allow = ['GET', 'HEAD', 'OPTIONS'];

/** Follows the GET handler of a page or probe and responds to other methods: 204 to OPTIONS, otherwise 405. */
export const readOnly: Handler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  if (request.method !== 'OPTIONS') return sendRestError(response, { ...restErrors.METHOD_NOT_ALLOWED, allow });
  response.status(204).set('Allow', allow.join(', ')).end();
};

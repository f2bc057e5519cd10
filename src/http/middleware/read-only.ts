import type { Handler } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';

const allow = ['GET', 'HEAD', 'OPTIONS'];

/** Stands behind the GET of a page or a probe: what other methods are answered there. */
export const readOnly: Handler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  if (request.method !== 'OPTIONS') return sendRestError(response, { ...restErrors.METHOD_NOT_ALLOWED, allow });
  response.status(204).set('Allow', allow.join(', ')).end();
};

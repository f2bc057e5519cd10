import express from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { CLIENT_METADATA_PATH, type ClientMetadata } from '../../modules/connections/oauth/client-metadata.js';

export interface OAuthClientRoutesOptions {
  /** Null: not served. */
  clientMetadata: ClientMetadata | null;
}

/** The description of this service as an OAuth client, which authorization servers read. It contains no secrets. */
export function oauthClientRoutes({ clientMetadata }: OAuthClientRoutesOptions): express.Router {
  const router = express.Router();
  if (clientMetadata === null) return router;
  router.all(CLIENT_METADATA_PATH, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendRestError(response, { ...restErrors.METHOD_NOT_ALLOWED, allow: ['GET', 'HEAD'] });
    response.set('Cache-Control', 'public, max-age=3600').json(clientMetadata.document);
  });
  return router;
}

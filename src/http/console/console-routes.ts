import express from 'express';
import { type ConsoleSessionOptions, consoleSession } from './console-session.js';
import { type OAuthClientRoutesOptions, oauthClientRoutes } from './oauth-client-routes.js';
import { type OidcRoutesOptions, oidcRoutes } from './oidc-routes.js';

/**
 * The routes of the console in a browser (session, and sign-in at an OpenID Connect issuer) and the description of this service
 * as an OAuth client, which authorization servers of connections read.
 */
export function consoleRoutes(
  options: ConsoleSessionOptions & OidcRoutesOptions & OAuthClientRoutesOptions,
): express.Router {
  return express.Router().use(consoleSession(options), oidcRoutes(options), oauthClientRoutes(options));
}

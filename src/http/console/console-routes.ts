import express from 'express';
import { type ConsoleSessionOptions, consoleSession } from './console-session.js';
import { type OAuthClientRoutesOptions, oauthClientRoutes } from './oauth-client-routes.js';
import { type OidcRoutesOptions, oidcRoutes } from './oidc-routes.js';

/** The routes that only browsers with the console and its issuers use. */
export function consoleRoutes(
  options: ConsoleSessionOptions & OidcRoutesOptions & OAuthClientRoutesOptions,
): express.Router {
  return express.Router().use(consoleSession(options), oidcRoutes(options), oauthClientRoutes(options));
}

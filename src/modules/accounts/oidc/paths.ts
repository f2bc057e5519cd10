/** Begins a sign-in at the issuer. */
export const OIDC_START_PATH = '/console/oidc/start';
/** The issuer redirects to it. Its address, with `PUBLIC_URL`, is registered at the issuer. */
export const OIDC_CALLBACK_PATH = '/console/oidc/callback';

/** The path that begins a sign-in at the issuer. */
export const OIDC_START_PATH = '/console/oidc/start';
/** The path to which the issuer redirects. Its address, with `PUBLIC_URL`, is registered at the issuer. */
export const OIDC_CALLBACK_PATH = '/console/oidc/callback';

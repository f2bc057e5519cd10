import type { Vault } from '../../../platform/crypto/crypto.js';
import type { SignInChecks } from '../../../providers/open-id-connect.js';

const CONTEXT = 'oidc:sign-in';
/** How long a user may take to sign in at the issuer. */
export const SIGN_IN_MINUTES = 10;

/** The encrypted content of the cookie of a started sign-in, with which any process can complete it. */
export interface StartedSignIn extends SignInChecks {
  /** The path of the console that is opened afterwards. */
  next: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Encrypts a sign-in as the content of a cookie. */
export function sealSignIn(vault: Vault, signIn: StartedSignIn): string {
  return vault.sealBytes(JSON.stringify(signIn), CONTEXT).toString('base64url');
}

/** Reads the content of the cookie. Returns undefined if it is forged or expired. */
export function openSignIn(vault: Vault, sealed: string): StartedSignIn | undefined {
  try {
    const signIn = JSON.parse(vault.openBytes(Buffer.from(sealed, 'base64url'), CONTEXT)) as StartedSignIn;
    return signIn.expiresAt > Date.now() ? signIn : undefined;
  } catch {
    return undefined;
  }
}

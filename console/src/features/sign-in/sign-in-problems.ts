/** Why a sign-in at the OpenID Connect issuer failed, by the parameter `problem` of the sign-in screen, which the service sets. */
export const SIGN_IN_PROBLEMS = {
  denied: 'The sign-in was cancelled or not permitted.',
  refused: 'The sign-in service gave an answer that is not valid. Try again, or ask an administrator.',
  unavailable: 'The sign-in service cannot be reached. Try again in a moment.',
  expired: 'The sign-in took longer than 10 minutes or was started in another browser. Try again.',
  unverified: 'The sign-in service has not confirmed an email address for you.',
  foreign_domain: 'Email addresses of your domain may not sign in here.',
  unknown_user: 'You have no account here yet. Ask an administrator to create one for your email address.',
  disabled: 'Your account is disabled. Ask an administrator.',
  limited: 'Too many attempts to sign in from this address. Try again in a minute.',
} as const;

export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

export function isSignInProblem(value: unknown): value is SignInProblem {
  return typeof value === 'string' && Object.hasOwn(SIGN_IN_PROBLEMS, value);
}

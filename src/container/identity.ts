import { Identity } from '../http/middleware/identity.js';
import { accounts } from '../modules/accounts/index.js';
import type { Container } from './container.js';
import type { ProcessInfrastructure } from './infrastructure.js';

/** Creates the functions that convert the credentials of a request to its viewer. */
export function createIdentity(
  { telemetry, issuer, serviceToken }: ProcessInfrastructure,
  container: Container,
): Identity {
  const { keyAuthenticator, accounts: service, sessions, anonymousLimit: anonymous } = container.get(accounts);
  const onLimited = () => telemetry.metrics.countRateLimited();
  return new Identity({ keyAuthenticator, accounts: service, sessions, issuer, serviceToken, anonymous, onLimited });
}

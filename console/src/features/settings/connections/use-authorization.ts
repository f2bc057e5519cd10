import { useAction } from '@/shared/forms/use-action';
import { REDIRECT_PATH } from './connection-settings';
import { StartConnectionAuthorizationDocument } from './connections.generated';

/** Sends the user to the authorization server of a connection, which sends the user back to the screen of `REDIRECT_PATH`. */
export function useAuthorization(): (id: number) => Promise<void> {
  const start = useAction(StartConnectionAuthorizationDocument, { failure: 'Not authorized' });
  return async id => {
    const redirectUrl = `${location.origin}${REDIRECT_PATH}`;
    const authorization = (await start.run({ id, redirectUrl }))?.connectionAuthorizationStart?.connectionAuthorization;
    if (authorization) location.assign(authorization.authorizationUrl);
  };
}

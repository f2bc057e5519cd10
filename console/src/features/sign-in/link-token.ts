import { useMutation } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { assertAccepted, problemOf } from '@/api/errors';
import { adoptSession } from '@/session/session';
import { SignInByLinkDocument } from './sign-in.generated';

/** The last exchanged token, so that it is exchanged once. It is kept outside of React, whose strict mode runs effects twice. */
let exchanged: string | null = null;

/** Returns the token in the fragment `#token=` of the URL and removes it, because the browser history keeps URLs. */
export function takeAddressToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Signs in with the token in the URL, if it has one. */
export function useLinkToken(): { isBusy: boolean; problem: string | null } {
  const [signIn, { loading }] = useMutation(SignInByLinkDocument);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const token = takeAddressToken();
    if (token === null || token === exchanged) return;
    exchanged = token;
    signIn({ variables: { token } })
      .then(({ data }) => {
        assertAccepted(data);
        const session = data?.sessionCreateFromLink?.session;
        return session && adoptSession(session.refresh);
      })
      .catch(error => setProblem(problemOf(error).message));
  }, [signIn]);
  return { isBusy: loading, problem };
}

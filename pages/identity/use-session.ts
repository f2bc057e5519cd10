import { useCallback, useEffect, useRef, useState } from 'react';
import { logIn, type PageSession, type SendOperation } from './session.js';

export interface SessionState {
  session: PageSession | null;
  /** The reason why the session ended without a logout; empty: none. */
  notice: string;
  logIn: (email: string, password: string) => Promise<void>;
  logOut: () => void;
}

const send: SendOperation = async (query, variables, isUnloading = false) => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    keepalive: isUnloading,
  });
  return response.json();
};

/** The session of this page. It ends when the page is closed, because its tokens are only in the memory of the page. */
export function useSession(): SessionState {
  const [session, setSession] = useState<PageSession | null>(null);
  const [notice, setNotice] = useState('');
  const current = useRef<PageSession | null>(null);

  const change = useCallback((next: PageSession | null, reason: string) => {
    current.current = next;
    setSession(next);
    setNotice(reason);
  }, []);
  const open = useCallback(
    async (email: string, password: string) =>
      change(await logIn(send, email, password, () => change(null, 'Your session has ended. Log in again.')), ''),
    [change],
  );
  const logOut = useCallback(() => {
    // The page drops the tokens even if the request fails. Then the session stays open, unused, until it expires.
    current.current?.end().catch(error => console.warn(error));
    change(null, '');
  }, [change]);

  useEffect(() => {
    // A page in the back/forward cache keeps its session.
    const leave = (event: PageTransitionEvent) => {
      if (!event.persisted) current.current?.end(true).catch(() => undefined);
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, []);

  return { session, notice, logIn: open, logOut };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { type Ask, type LoggedIn, logIn } from './session.js';

export interface SessionState {
  session: LoggedIn | null;
  notice: string;
  logIn: (email: string, password: string) => Promise<void>;
  logOut: () => void;
}

const ask: Ask = async (query, variables, isLast = false) => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    keepalive: isLast,
  });
  return response.json();
};

/** The session of this page, if one was opened. It is ended with the page: nobody could use it any more. */
export function useSession(): SessionState {
  const [session, setSession] = useState<LoggedIn | null>(null);
  const [notice, setNotice] = useState('');
  const current = useRef<LoggedIn | null>(null);

  const keep = useCallback((next: LoggedIn | null, why: string) => {
    current.current = next;
    setSession(next);
    setNotice(why);
  }, []);
  const open = useCallback(
    async (email: string, password: string) =>
      keep(await logIn(ask, email, password, () => keep(null, 'Your session is over. Log in again.')), ''),
    [keep],
  );
  const logOut = useCallback(() => {
    // The tokens are forgotten whatever becomes of the request; at worst the session lives on unused.
    current.current?.end().catch(error => console.warn(error));
    keep(null, '');
  }, [keep]);

  useEffect(() => {
    // A page that the browser puts aside and may bring back keeps its session.
    const leave = (event: PageTransitionEvent) => {
      if (!event.persisted) current.current?.end(true).catch(() => undefined);
    };
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, []);

  return { session, notice, logIn: open, logOut };
}

import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Brand } from '../identity/brand.js';
import { LoginForm } from '../identity/login-form.js';
import { OpenSession } from '../identity/open-session.js';
import type { LoggedIn } from '../identity/session.js';
import { useSession } from '../identity/use-session.js';

/** Draws the bar; answers what tells the session that is open in it at a moment. */
export function showBar(selector: string): () => LoggedIn | null {
  let current: LoggedIn | null = null;
  const root = document.querySelector(selector);
  if (root === null) throw new Error(`index.html lacks the element ${selector}`);
  createRoot(root).render(
    <Bar
      onSession={session => {
        current = session;
      }}
    />,
  );
  return () => current;
}

/** Who tries requests: a session, or without one the key that Scalar has a field for. */
function Bar({ onSession }: { onSession: (session: LoggedIn | null) => void }) {
  const { session, notice, logIn, logOut } = useSession();
  const [isLogin, setLogin] = useState(false);
  useEffect(() => onSession(session), [onSession, session]);
  const email = session?.email ?? null;
  return (
    <header className="bar">
      <Brand />
      {email !== null ? (
        <OpenSession
          email={email}
          use="In use for every request that takes a session"
          onLogOut={() => {
            setLogin(false);
            logOut();
          }}
        />
      ) : isLogin || notice !== '' ? (
        <LoginForm notice={notice} onLogIn={logIn} />
      ) : (
        <div className="bar-key">
          <button type="button" onClick={() => setLogin(true)}>
            Login
          </button>
          <span className="bar-hint">Or put a key under Authentication.</span>
        </div>
      )}
      <nav className="bar-links" aria-label="Scenarium">
        <a href="/graphiql">GraphiQL</a>
        <a href="/openapi.json">openapi.json</a>
      </nav>
    </header>
  );
}

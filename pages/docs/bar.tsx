import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Brand } from '../identity/brand.js';
import { LoginForm } from '../identity/login-form.js';
import { OpenSession } from '../identity/open-session.js';
import type { PageSession } from '../identity/session.js';
import { useSession } from '../identity/use-session.js';

/** Renders the bar. Returns a function that reads its current session; null: the user is not logged in. */
export function renderBar(selector: string): () => PageSession | null {
  let current: PageSession | null = null;
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

/** Shows the identity that requests are sent with: a session, or else the key in Scalar's own field. */
function Bar({ onSession }: { onSession: (session: PageSession | null) => void }) {
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
          use="Sent with every request that accepts a session"
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
          <span className="bar-hint">Or enter a key under Authentication.</span>
        </div>
      )}
      <nav className="bar-links" aria-label="Scenarium">
        <a href="/graphiql">GraphiQL</a>
        <a href="/openapi.json">openapi.json</a>
      </nav>
    </header>
  );
}

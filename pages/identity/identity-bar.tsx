import { useState } from 'react';
import { ApiKeyForm } from './api-key-form.js';
import { Brand } from './brand.js';
import { LoginForm } from './login-form.js';
import { OpenSession } from './open-session.js';

interface IdentityBarProps {
  apiKey: string;
  onApiKey: (apiKey: string) => void;
  /** The email of the user who is logged in; null: there is no session. */
  email: string | null;
  /** The reason why the session ended without a logout; empty: none. */
  notice: string;
  onLogIn: (email: string, password: string) => Promise<void>;
  onLogOut: () => void;
}

/** A bar to select the identity of requests: API key or session. A session takes precedence over the key, which is kept. */
export function IdentityBar({ apiKey, onApiKey, email, notice, onLogIn, onLogOut }: IdentityBarProps) {
  const [isLogin, setLogin] = useState(false);
  return (
    <header className="bar">
      <Brand />
      {email === null ? (
        <>
          <fieldset className="bar-choice">
            <legend>Identify by</legend>
            <button type="button" aria-pressed={!isLogin} onClick={() => setLogin(false)}>
              Key
            </button>
            <button type="button" aria-pressed={isLogin} onClick={() => setLogin(true)}>
              Login
            </button>
          </fieldset>
          {isLogin ? (
            <LoginForm notice={notice} onLogIn={onLogIn} />
          ) : (
            <ApiKeyForm apiKey={apiKey} onChange={onApiKey} />
          )}
        </>
      ) : (
        <OpenSession email={email} use="Used for HTTP and subscriptions" onLogOut={onLogOut} />
      )}
      <nav className="bar-links" aria-label="Scenarium">
        <a href="/docs">REST reference</a>
      </nav>
    </header>
  );
}

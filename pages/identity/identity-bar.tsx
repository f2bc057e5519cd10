import { useState } from 'react';
import { ApiKeyForm } from './api-key-form.js';
import { Brand } from './brand.js';
import { LoginForm } from './login-form.js';
import { OpenSession } from './open-session.js';

interface IdentityBarProps {
  apiKey: string;
  onApiKey: (apiKey: string) => void;
  /** The email of the session that is open; null without one. */
  email: string | null;
  /** Something the user must hear of a session that ended by itself. */
  notice: string;
  onLogIn: (email: string, password: string) => Promise<void>;
  onLogOut: () => void;
}

/** Who asks: a key or a session. An open session goes before the key, which is kept for afterwards. */
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
        <OpenSession email={email} use="In use for HTTP and subscriptions" onLogOut={onLogOut} />
      )}
      <nav className="bar-links" aria-label="Scenarium">
        <a href="/docs">REST reference</a>
      </nav>
    </header>
  );
}

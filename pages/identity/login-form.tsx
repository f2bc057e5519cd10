import { type FormEvent, useId, useState } from 'react';

interface LoginFormProps {
  /** The reason why the session ended; empty: none. */
  notice: string;
  onLogIn: (email: string, password: string) => Promise<void>;
}

const HINT = 'The session is kept only in the memory of this page. It ends when the page is reloaded.';

/** A form that logs in by email and password. */
export function LoginForm({ notice, onLogIn }: LoginFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState(notice);
  const [isBusy, setBusy] = useState(false);
  const emailId = useId();
  const passwordId = useId();
  const hintId = useId();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault('');
    try {
      await onLogIn(email, password);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };

  return (
    <form className="bar-key bar-login" onSubmit={submit}>
      <label htmlFor={emailId}>Email</label>
      <input
        id={emailId}
        type="email"
        value={email}
        onChange={event => setEmail(event.target.value)}
        autoComplete="username"
        required
      />
      <label htmlFor={passwordId}>Password</label>
      <input
        id={passwordId}
        type="password"
        value={password}
        onChange={event => setPassword(event.target.value)}
        aria-describedby={hintId}
        autoComplete="current-password"
        required
      />
      <button type="submit" disabled={isBusy}>
        Log in
      </button>
      <span id={hintId} className={fault === '' ? 'bar-hint' : 'bar-hint bar-fault'} role="status">
        {fault === '' ? HINT : fault}
      </span>
    </form>
  );
}

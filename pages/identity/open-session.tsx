import { useId } from 'react';

interface OpenSessionProps {
  email: string;
  /** What the session is used for. */
  use: string;
  onLogOut: () => void;
}

export function OpenSession({ email, use, onLogOut }: OpenSessionProps) {
  const hintId = useId();
  return (
    <div className="bar-key">
      <span>
        Logged in as <strong>{email}</strong>
      </span>
      <button type="button" aria-describedby={hintId} onClick={onLogOut}>
        Log out
      </button>
      <span id={hintId} className="bar-hint" role="status">
        {use}, renewed by itself. Ends with this page.
      </span>
    </div>
  );
}

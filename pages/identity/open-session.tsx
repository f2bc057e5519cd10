import { useId } from 'react';

interface OpenSessionProps {
  email: string;
  /** The purpose of the session, for example "Used for HTTP and subscriptions". */
  use: string;
  onLogOut: () => void;
}

/** Shows the user of the session, and a button that ends it. */
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
        {use}, renewed automatically. Ends when this page is closed.
      </span>
    </div>
  );
}

import { type FormEvent, useId, useState } from 'react';
import { cleanApiKey } from './api-key.js';

interface ApiKeyFormProps {
  apiKey: string;
  onChange: (apiKey: string) => void;
}

/** A field for the API key. A change applies when the field is left or on Enter, because each change loads the schema. */
export function ApiKeyForm({ apiKey, onChange }: ApiKeyFormProps) {
  const [typed, setTyped] = useState(apiKey);
  const [isShown, setShown] = useState(false);
  const fieldId = useId();
  const hintId = useId();

  const commit = (next: string) => {
    const clean = cleanApiKey(next);
    setTyped(clean);
    if (clean !== apiKey) onChange(clean);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit(typed);
  };

  return (
    <form className="bar-key" onSubmit={submit} autoComplete="off">
      <label htmlFor={fieldId}>API key</label>
      <input
        id={fieldId}
        type={isShown ? 'text' : 'password'}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => commit(typed)}
        placeholder="sk-…"
        aria-describedby={hintId}
        autoComplete="off"
        spellCheck={false}
      />
      <button type="button" aria-pressed={isShown} aria-controls={fieldId} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </button>
      <button type="button" disabled={typed === ''} onClick={() => commit('')}>
        Forget
      </button>
      <span id={hintId} className="bar-hint" role="status">
        {apiKey === ''
          ? 'Sent as X-Api-Key with every operation. Kept in this browser only.'
          : 'Used for HTTP and subscriptions. Kept in this browser only.'}
      </span>
    </form>
  );
}

import { randomId } from '@mantine/hooks';
import { useRef } from 'react';

/**
 * Returns a function that returns the idempotency key of an input. The same input has the same key, so that a second click, or a retry
 * after a lost answer, starts nothing twice. A changed input has a new key, because the service refuses a key of another request.
 */
export function useIdempotencyKey(): (input: object) => string {
  const last = useRef({ input: '', key: '' });
  return input => {
    const text = JSON.stringify(input);
    if (text !== last.current.input) last.current = { input: text, key: randomId('console-') };
    return last.current.key;
  };
}

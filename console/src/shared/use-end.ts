import { useEffect, useRef } from 'react';

/**
 * Calls `onEnd` when work that was in progress has ended. The end of a subscription cannot be used instead: the cache receives the last
 * state before the stream completes, and a component that subscribes only to active work has unsubscribed by then.
 */
export function useEnd(isActive: boolean, onEnd: (() => void) | undefined): void {
  const wasActive = useRef(isActive);
  useEffect(() => {
    if (wasActive.current && !isActive) onEnd?.();
    wasActive.current = isActive;
  });
}

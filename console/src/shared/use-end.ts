import { useEffect, useRef } from 'react';

/**
 * Calls `onEnd` when work ends that was in progress. A subscription is not a sign of it: the cache gets the last state
 * before the stream completes, and a component that follows only active work has left the stream then.
 */
export function useEnd(isActive: boolean, onEnd: (() => void) | undefined): void {
  const wasActive = useRef(isActive);
  useEffect(() => {
    if (wasActive.current && !isActive) onEnd?.();
    wasActive.current = isActive;
  });
}

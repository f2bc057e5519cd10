import { useOnViewportChange, useStoreApi } from '@xyflow/react';
import { useEffect, useMemo } from 'react';

/** Below this zoom no text can be read: nodes are drawn as plain areas. */
const FAR_ZOOM = 0.36;

/**
 * Keeps large graphs fast: canvas.css draws less while `data-far` is set, and moves one layer while `data-moving` is.
 * They are attributes of the element, so that no node is rendered again.
 */
export function CanvasDetail() {
  const store = useStoreApi();
  useEffect(() => {
    const update = ({ domNode, transform }: ReturnType<typeof store.getState>) =>
      domNode?.toggleAttribute('data-far', transform[2] < FAR_ZOOM);
    update(store.getState());
    return store.subscribe(update);
  }, [store]);
  // Stable functions: React Flow notifies every node when a function changes.
  const [onStart, onEnd] = useMemo(() => {
    const setMoving = (isMoving: boolean) => store.getState().domNode?.toggleAttribute('data-moving', isMoving);
    return [() => setMoving(true), () => setMoving(false)];
  }, [store]);
  useOnViewportChange({ onStart, onEnd });
  return null;
}

import { useOnViewportChange, useStore, useStoreApi } from '@xyflow/react';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { MANY_NODES } from './layout';

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

/**
 * Whether a large graph of `count` nodes is seen from afar. Most of its nodes are visible then, and moving all of them
 * takes less time in each frame than finding the visible ones.
 */
export function useIsFar(count: number): boolean {
  const isLarge = count > MANY_NODES;
  const isFar = useStore(({ transform: [, , zoom] }) => isLarge && zoom < FAR_ZOOM);
  // Deferred, so that a zoom does not wait until all nodes are rendered. At first the whole graph is fitted into the canvas.
  return useDeferredValue(isFar, isLarge);
}

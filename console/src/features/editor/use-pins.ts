import { useCallback, useState } from 'react';
import { loadPins, type Pins, storePins } from './model/partial-run';

/** The pinned results of a workflow and a function that pins a result, or with null unpins it. */
export function usePins(workflowId: number) {
  const [pins, setPins] = useState<Pins>(() => loadPins(workflowId));
  const pin = useCallback(
    (id: string, content: string | null) =>
      setPins(current => {
        const next = new Map(current);
        if (content === null) next.delete(id);
        else next.set(id, content);
        storePins(workflowId, next);
        return next;
      }),
    [workflowId],
  );
  return { pins, pin };
}

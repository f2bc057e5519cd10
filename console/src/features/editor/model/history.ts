import type { Graph } from './graph';

/** Maximum steps that can be undone. */
const MAX_STEPS = 100;
const COALESCE_MS = 1_200;

export interface History {
  past: readonly Graph[];
  present: Graph;
  future: readonly Graph[];
  /** The graph that the service has. */
  saved: Graph;
  /** The last change. Changes with the same `key` within COALESCE_MS form one undo step; a null key never merges. */
  last: { key: string | null; at: number };
}

export type HistoryAction =
  | { type: 'change'; apply: (graph: Graph) => Graph; key?: string | null; at: number }
  /** A change that cannot be undone separately, such as the first layout. */
  | { type: 'adjust'; apply: (graph: Graph) => Graph }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'saved'; graph: Graph }
  | { type: 'load'; graph: Graph };

export function openHistory(graph: Graph): History {
  return { past: [], present: graph, future: [], saved: graph, last: { key: null, at: 0 } };
}

export function historyReducer(history: History, action: HistoryAction): History {
  const { past, present, future, saved } = history;
  const noLastChange = { key: null, at: 0 };
  switch (action.type) {
    case 'load':
      return openHistory(action.graph);
    case 'saved':
      return { ...history, saved: action.graph, last: noLastChange };
    case 'adjust': {
      const next = action.apply(present);
      return next === present ? history : { ...history, present: next, saved: saved === present ? next : saved };
    }
    case 'undo': {
      const previous = past.at(-1);
      if (previous === undefined) return history;
      return { past: past.slice(0, -1), present: previous, future: [present, ...future], saved, last: noLastChange };
    }
    case 'redo': {
      const [next, ...rest] = future;
      return next === undefined
        ? history
        : { past: [...past, present], present: next, future: rest, saved, last: noLastChange };
    }
    case 'change':
      return recordChange(history, action);
  }
}

function recordChange(
  history: History,
  { apply, key = null, at }: { apply: (graph: Graph) => Graph; key?: string | null; at: number },
): History {
  const { past, present, saved, last } = history;
  const next = apply(present);
  if (next === present) return history;
  const isSameStep = key !== null && key === last.key && at - last.at < COALESCE_MS;
  return {
    past: isSameStep ? past : [...past, present].slice(-MAX_STEPS),
    present: next,
    future: [],
    saved,
    last: { key, at },
  };
}

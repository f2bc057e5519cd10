import { useCallback, useMemo, useReducer, useRef, useState } from 'react';
import type { EditorActions, PickerTarget } from './editor-context';
import { copyNodes, insertNodes } from './model/clipboard';
import { disconnect, type Graph, graphAt, type Link, type Point, removeNodes, withGraphAt } from './model/graph';
import { historyReducer, openHistory } from './model/history';
import type { Kinds } from './model/kinds';
import { layout, withPositions } from './model/layout';
import { addNode, openOutput } from './model/new-node';
import { addNote } from './model/notes';

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** The graph being edited, its history, the open loop, the selection and the list of kinds, with the commands on them. */
export function useEditor(initial: Graph, kinds: Kinds, initialSelection: readonly string[]) {
  const [history, dispatch] = useReducer(historyReducer, initial, graph => openHistory(withPositions(graph, kinds)));
  const [scope, setScope] = useState<readonly string[]>([]);
  const [selected, setSelected] = useState(initialSelection);
  const [picker, setPicker] = useState<PickerTarget | null>(null);
  const root = history.present;
  const graph = useMemo(() => graphAt(root, scope), [root, scope]);
  // Actions read the latest state from here, so that they stay the same functions and nodes are not rendered again.
  const latest = useRef({ root, graph, scope, selected, kinds });
  latest.current = { root, graph, scope, selected, kinds };
  const change = useCallback((apply: (graph: Graph) => Graph, key?: string) => {
    const { scope: at } = latest.current;
    const applyAt = (whole: Graph) => {
      const inner = graphAt(whole, at);
      const next = apply(inner);
      return next === inner ? whole : withGraphAt(whole, at, next);
    };
    dispatch({ type: 'change', apply: applyAt, key: key ?? null, at: Date.now() });
  }, []);
  const select = useCallback<EditorActions['select']>(next => {
    setSelected(current => {
      const ids = typeof next === 'function' ? next(current) : next;
      return isEqual(current, ids) ? current : ids;
    });
  }, []);
  const openScope = useCallback((next: readonly string[]) => {
    setScope(next);
    setSelected([]);
    setPicker(null);
    dispatch({
      type: 'adjust',
      apply: whole => {
        const inner = graphAt(whole, next);
        const placed = withPositions(inner, latest.current.kinds);
        return placed === inner ? whole : withGraphAt(whole, next, placed);
      },
    });
  }, []);
  const actions = useMemo(
    (): Omit<EditorActions, 'runTo' | 'pin'> => ({
      change,
      select,
      openPicker: setPicker,
      enterLoop: id => openScope([...latest.current.scope, id]),
      addNode: (type, target) => {
        const { root: whole, graph: inner, selected: ids, kinds: all } = latest.current;
        const kind = all.get(type);
        if (!kind) return;
        const [only = ''] = ids;
        const isNext = !target?.position && ids.length === 1 && kind.category !== 'START';
        const link = target?.link ?? (isNext ? openOutput(inner, all, only) : null);
        const added = addNode(whole, inner, all, kind, { position: target?.position ?? null, link });
        change(() => added.graph);
        select([added.id]);
        setPicker(null);
      },
    }),
    [change, select, openScope],
  );
  const commands = useMemo(
    () => ({
      undo: () => dispatch({ type: 'undo' }),
      redo: () => dispatch({ type: 'redo' }),
      markSaved: (saved: Graph) => dispatch({ type: 'saved', graph: saved }),
      load: (next: Graph) => {
        setScope([]);
        setSelected([]);
        dispatch({ type: 'load', graph: withPositions(next, latest.current.kinds) });
      },
      /** Replaces the whole graph; undo brings the old one back. */
      replace: (next: Graph) => {
        setScope([]);
        setSelected([]);
        dispatch({ type: 'change', apply: () => withPositions(next, latest.current.kinds), at: Date.now() });
      },
      arrange: () => change(at => layout(at, latest.current.kinds)),
      remove: (ids: readonly string[], links: readonly Link[]) => {
        const { kinds: all } = latest.current;
        change(at => {
          const kept = links.length > 0 ? disconnect(at, all, links) : at;
          return ids.length > 0 ? removeNodes(kept, all, new Set(ids)) : kept;
        });
        select([]);
      },
      addNote: (at: Point) => change(current => addNote(current, at)),
      copy: (ids: readonly string[]) => copyNodes(latest.current.graph, latest.current.kinds, new Set(ids)),
      insert: (fragment: Graph, at: Point | null) => {
        const { root: whole, graph: inner, kinds: all } = latest.current;
        const inserted = insertNodes(whole, inner, withPositions(fragment, all), at, all);
        change(() => inserted.graph);
        select(inserted.ids);
      },
    }),
    [change, select],
  );
  return {
    history,
    root,
    graph,
    scope,
    openScope,
    selected,
    picker,
    closePicker: () => setPicker(null),
    actions,
    commands,
  };
}

export type Editor = ReturnType<typeof useEditor>;

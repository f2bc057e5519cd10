import { createContext, useContext } from 'react';
import type { EditorCheckQuery } from './editor.generated';
import type { Graph, Link, Point } from './model/graph';
import type { Kinds } from './model/kinds';
import type { Pins } from './model/partial-run';
import type { RunView } from './model/run-state';

export type Issue = EditorCheckQuery['workflowCheck']['issues'][number];

/** The place where the list of node kinds was opened. The chosen node is added there. */
export interface PickerTarget {
  /** The place of the new node on the canvas. Null: chosen by the editor. */
  position: Point | null;
  /** The output that is connected to the new node. Null: none. */
  link: Omit<Link, 'target'> | null;
  /** The position of the list in the window. Null: next to the button. */
  at: Point | null;
}

/** Does not change while the editor is open, so that nodes are not drawn again. */
export interface EditorActions {
  /** Changes the open graph. Changes with the same key in quick succession are one step of undo. */
  change: (apply: (graph: Graph) => Graph, key?: string) => void;
  /** Selects nodes; a function receives the ids that are selected. */
  select: (next: readonly string[] | ((ids: readonly string[]) => readonly string[])) => void;
  addNode: (type: string, target: PickerTarget | null) => void;
  openPicker: (target: PickerTarget) => void;
  enterLoop: (id: string) => void;
  /** Opens the form of a run that ends with this node. */
  runTo: (id: string) => void;
  /** Uses a result instead of running the node when a part of the graph is run. Null: runs it again. */
  pin: (id: string, content: string | null) => void;
}

export interface EditorView {
  workflowId: number;
  root: Graph;
  /** The open graph: the workflow, or the body of a loop. */
  graph: Graph;
  /** Ids of the loops that contain the open graph, outermost first. Empty: the workflow itself. */
  scope: readonly string[];
  kinds: Kinds;
  issues: readonly Issue[];
  run: RunView | null;
  /** Results of the last run by node id. */
  results: ReadonlyMap<string, string>;
  pins: Pins;
  canEdit: boolean;
}

export const ActionsContext = createContext<EditorActions | null>(null);
export const ViewContext = createContext<EditorView | null>(null);

export function useEditorActions(): EditorActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('useEditorActions must be called inside the editor');
  return actions;
}

export function useEditorView(): EditorView {
  const view = useContext(ViewContext);
  if (!view) throw new Error('useEditorView must be called inside the editor');
  return view;
}

import { useReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { parseGraph } from '@/canvas/graph';
import type { FlowNode } from './canvas/editor-node';
import type { FlowEdge } from './canvas/use-flow';
import { centerOf, FIT_VIEW, type Flow } from './canvas/viewport';
import { nodesOf } from './model/graph';
import type { Editor } from './use-editor';

/** What keys do outside of the graph. */
export interface ShortcutCommands {
  save: () => void;
  openRun: () => void;
  toggleHelp: () => void;
  canEdit: boolean;
}

/** Whether keys belong to a text element, a dialog or a menu. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=dialog], [role=menu], [role=listbox]') !== null
  );
}

/**
 * The keys of the editor, and copy and paste of nodes as JSON, also between windows. The listeners are added once and read
 * the latest editor.
 */
export function useShortcuts(editor: Editor, commands: ShortcutCommands): void {
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const latest = useRef({ editor, commands, flow });
  latest.current = { editor, commands, flow };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isHandled = handleKey(event, latest.current.editor, latest.current.commands, latest.current.flow);
      if (isHandled) event.preventDefault();
    };
    const onCopy = (event: ClipboardEvent) => {
      const { editor: current, commands: currentCommands } = latest.current;
      const isText = isTyping(event.target) || getSelection()?.isCollapsed === false;
      if (isText || current.selected.length === 0) return;
      event.clipboardData?.setData('text/plain', current.commands.copy(current.selected));
      event.preventDefault();
      if (event.type === 'cut' && currentCommands.canEdit) current.commands.remove(current.selected, []);
    };
    const onPaste = (event: ClipboardEvent) => {
      const { editor: current, commands: currentCommands, flow: canvas } = latest.current;
      if (isTyping(event.target) || !currentCommands.canEdit) return;
      const parsed = parseGraph(event.clipboardData?.getData('text/plain') ?? '');
      if (!parsed) return;
      event.preventDefault();
      current.commands.insert(parsed.graph, centerOf(canvas));
    };
    addEventListener('keydown', onKey);
    addEventListener('copy', onCopy);
    addEventListener('cut', onCopy);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('copy', onCopy);
      removeEventListener('cut', onCopy);
      removeEventListener('paste', onPaste);
    };
  }, []);
}

/** Returns whether the key was used. */
function handleKey(event: KeyboardEvent, editor: Editor, commands: ShortcutCommands, flow: Flow): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isControl && key === 's') return runAction(commands.save);
  if (isControl && key === 'enter') return commands.canEdit && runAction(commands.openRun);
  if (isTyping(event.target) || event.altKey) return false;
  const edit = commands.canEdit ? editKeys(editor, flow) : {};
  // Shift is a part of typing `?`, not of the name of the key.
  const name = `${isControl ? 'ctrl+' : ''}${event.shiftKey && key.length > 0 && key !== '?' ? 'shift+' : ''}${key}`;
  const action = { ...viewKeys(editor, commands, flow), ...edit }[name];
  return action === undefined ? false : runAction(action);
}

function runAction(action: () => void): true {
  action();
  return true;
}

function viewKeys(editor: Editor, commands: ShortcutCommands, flow: Flow): Record<string, () => void> {
  const { actions, graph } = editor;
  return {
    '?': commands.toggleHelp,
    'ctrl+a': () => actions.select(nodesOf(graph).map(({ id }) => id)),
    escape: () => {
      editor.closePicker();
      actions.select([]);
    },
    '1': () => void flow.fitView({ ...FIT_VIEW, duration: 200 }),
    '+': () => void flow.zoomIn(),
    // `+` without Shift on a US keyboard.
    '=': () => void flow.zoomIn(),
    '-': () => void flow.zoomOut(),
  };
}

function editKeys(editor: Editor, flow: Flow): Record<string, () => void> {
  const { commands, selected, actions } = editor;
  const remove = () => {
    const links = flow.getEdges().flatMap(({ selected: isSelected, data }) => (isSelected && data ? [data.link] : []));
    if (selected.length > 0 || links.length > 0) commands.remove(selected, links);
  };
  return {
    n: () => actions.openPicker({ position: null, link: null, at: null }),
    'shift+n': () => commands.addNote(centerOf(flow) ?? { x: 0, y: 0 }),
    delete: remove,
    backspace: remove,
    'ctrl+z': commands.undo,
    'ctrl+shift+z': commands.redo,
    'ctrl+y': commands.redo,
    'ctrl+d': () => {
      const copy = parseGraph(commands.copy(selected));
      if (selected.length > 0 && copy) commands.insert(copy.graph, null);
    },
    l: () => {
      commands.arrange();
      // The canvas has the new positions in the next frame.
      requestAnimationFrame(() => void flow.fitView({ ...FIT_VIEW, duration: 200 }));
    },
  };
}

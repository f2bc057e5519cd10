import { Breadcrumbs, Button, UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useRef } from 'react';
import { IconPlus } from '@/icons';
import { useEditorView } from '../editor-context';
import { graphAt, labelOf, nodeOf, nodesOf } from '../model/graph';
import type { Editor } from '../use-editor';
import { KindList } from './kind-list';

/** Width of `.editor-picker` in editor.css, in pixels. */
const WIDTH = 304;
/** Maximum height of the list of kinds, in pixels. */
const MAX_HEIGHT = 420;
/** Height of the search above the list and of the distance below it, in pixels. */
const SEARCH_HEIGHT = 68;
/** Distance from the left and the top edge of the canvas, in pixels. */
const MARGIN = 8;
/** Below the button. */
const DEFAULT_PLACE = { left: 14, top: 60 };

/** The button that adds nodes, and the list of kinds: next to the button, or where an edge ended. */
export function PickerPanel({ editor }: { editor: Editor }) {
  const { kinds, graph, scope } = useEditorView();
  const { picker, closePicker, actions } = editor;
  const area = useRef<HTMLDivElement>(null);
  const isEmpty = nodesOf(graph).length === 0;
  const isOpen = picker !== null || isEmpty;
  const outside = useClickOutside(closePicker);
  const at = picker?.at ?? null;
  const place = at === null ? DEFAULT_PLACE : placeIn(area.current, at);
  return (
    <>
      <div ref={area} style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }} />
      {scope.length > 0 && <Crumbs editor={editor} />}
      <Button
        className="editor-add"
        leftSection={<IconPlus size={16} />}
        aria-expanded={isOpen}
        // Otherwise the press closes the list as a click outside of it, and the click opens it again.
        onMouseDown={event => event.stopPropagation()}
        onClick={() => (picker ? closePicker() : actions.openPicker({ position: null, link: null, at: null }))}
      >
        Add node
      </Button>
      {isOpen && (
        <div className="editor-picker" style={place} ref={isEmpty ? null : outside}>
          <KindList
            key={picker === null ? 'empty' : 'open'}
            isFocused={picker !== null}
            kinds={kinds}
            isNext={picker !== null && picker.link !== null}
            onPick={type => actions.addNode(type, picker)}
            onClose={closePicker}
            maxHeight={`min(${MAX_HEIGHT}px, calc(100dvh - 260px))`}
          />
        </div>
      )}
    </>
  );
}

/** The place of the list at a point of the window, moved so that the list is inside the canvas. */
function placeIn(area: HTMLElement | null, at: { x: number; y: number }) {
  const { x, y, width, height } = area?.getBoundingClientRect() ?? { x: 0, y: 0, width: 800, height: 600 };
  return {
    left: Math.max(MARGIN, Math.min(at.x - x, width - WIDTH - MARGIN)),
    top: Math.max(MARGIN, Math.min(at.y - y, height - MAX_HEIGHT - SEARCH_HEIGHT)),
  };
}

/** The loops that contain the open graph. A click on one opens its graph. */
function Crumbs({ editor }: { editor: Editor }) {
  const { root, scope, kinds } = useEditorView();
  const loops = scope.map((id, depth) => {
    const loop = nodeOf(graphAt(root, scope.slice(0, depth)), id);
    return { id, title: loop ? labelOf(loop, kinds) : id };
  });
  return (
    <nav className="editor-crumbs" aria-label="Open graph">
      <Breadcrumbs separatorMargin={6}>
        {[{ id: '', title: 'Workflow' }, ...loops].map(({ id, title }, depth) =>
          depth === scope.length ? (
            <strong key={id}>{title}</strong>
          ) : (
            <UnstyledButton key={id} fz="inherit" onClick={() => editor.openScope(scope.slice(0, depth))}>
              {title}
            </UnstyledButton>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}

import { Breadcrumbs, Button, UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { useRef } from 'react';
import { IconPlus } from '@/icons';
import { useEditorView } from '../editor-context';
import { graphAt, labelOf, nodeOf, nodesOf } from '../model/graph';
import type { Editor } from '../use-editor';
import { KindList } from './kind-list';

const WIDTH = 304;
const MAX_HEIGHT = 420;

/** The button that adds nodes, and the list of kinds: next to the button, or where an edge ended. */
export function PickerPanel({ editor }: { editor: Editor }) {
  const { kinds, graph, scope } = useEditorView();
  const { picker, closePicker, actions } = editor;
  const area = useRef<HTMLDivElement>(null);
  const isEmpty = nodesOf(graph).length === 0;
  const isOpen = picker !== null || isEmpty;
  const outside = useClickOutside(closePicker);
  const at = picker?.at ?? null;
  const place = at === null ? { left: 14, top: 60 } : placeIn(area.current, at);
  return (
    <>
      <div ref={area} style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }} />
      {scope.length > 0 && <Crumbs editor={editor} />}
      <Button
        className="editor-add"
        leftSection={<IconPlus size={16} />}
        aria-expanded={isOpen}
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
            isNext={picker?.link !== null && picker !== null}
            onPick={type => actions.addNode(type, picker)}
            onClose={closePicker}
            maxHeight={`min(${MAX_HEIGHT}px, calc(100dvh - 260px))`}
          />
        </div>
      )}
    </>
  );
}

/** Keeps the list inside the canvas. */
function placeIn(area: HTMLElement | null, at: { x: number; y: number }) {
  const { x, y, width, height } = area?.getBoundingClientRect() ?? { x: 0, y: 0, width: 800, height: 600 };
  return {
    left: Math.max(8, Math.min(at.x - x, width - WIDTH - 8)),
    top: Math.max(8, Math.min(at.y - y, height - MAX_HEIGHT - 68)),
  };
}

function Crumbs({ editor }: { editor: Editor }) {
  const { root, scope, kinds } = useEditorView();
  const titles = scope.map((id, depth) => {
    const loop = nodeOf(graphAt(root, scope.slice(0, depth)), id);
    return loop ? labelOf(loop, kinds) : id;
  });
  return (
    <nav className="editor-crumbs" aria-label="Open graph">
      <Breadcrumbs separatorMargin={6}>
        {['Workflow', ...titles].map((title, depth) =>
          depth === scope.length ? (
            <strong key={title}>{title}</strong>
          ) : (
            <UnstyledButton key={title} fz="inherit" onClick={() => editor.openScope(scope.slice(0, depth))}>
              {title}
            </UnstyledButton>
          ),
        )}
      </Breadcrumbs>
    </nav>
  );
}

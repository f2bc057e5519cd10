import './note-layer.css';
import { ActionIcon, Textarea } from '@mantine/core';
import { useReactFlow, ViewportPortal } from '@xyflow/react';
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import { IconGripVertical, IconTrash } from '@/icons';
import { useEditorActions, useEditorView } from '../editor-context';
import type { Point } from '../model/graph';
import { changeNote, type Note, notesOf, removeNote } from '../model/notes';

/** Distance by which an arrow key moves a note. Shift and an arrow key move a node by the same distance. */
const STEP = 20;
const STEPS: Record<string, Point> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/** The notes of the graph, behind its nodes. */
export function NoteLayer() {
  const { graph, canEdit } = useEditorView();
  const notes = useMemo(() => notesOf(graph), [graph]);
  return (
    <ViewportPortal>
      {notes.map((note, index) => (
        <NoteCard key={note.id} note={note} number={index + 1} canEdit={canEdit} />
      ))}
    </ViewportPortal>
  );
}

function NoteCard({ note, number, canEdit }: { note: Note; number: number; canEdit: boolean }) {
  const { id, text, position } = note;
  const { change } = useEditorActions();
  const name = `note ${number}`;
  const moveBy = ({ x, y }: Point) =>
    change(
      graph => changeNote(graph, id, { position: { x: Math.round(position.x + x), y: Math.round(position.y + y) } }),
      `note ${id} position`,
    );
  const style = { transform: `translate(${position.x}px, ${position.y}px)` };
  if (!canEdit)
    return (
      <div className="editor-note" style={style}>
        <p>{text}</p>
      </div>
    );
  return (
    <div className="editor-note nopan nodrag nowheel" style={style}>
      <div className="editor-note-head">
        <MoveHandle name={name} moveBy={moveBy} />
        <ActionIcon size={32} aria-label={`Delete ${name}`} onClick={() => change(graph => removeNote(graph, id))}>
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <Textarea
        aria-label={`Text of ${name}`}
        placeholder="Write a note"
        variant="unstyled"
        autosize
        minRows={2}
        maxLength={2_000}
        value={text}
        onChange={event => {
          const { value } = event.currentTarget;
          change(graph => changeNote(graph, id, { text: value }), `note ${id} text`);
        }}
      />
    </div>
  );
}

/** Moves a note with the pointer or the arrow keys. */
function MoveHandle({ name, moveBy }: { name: string; moveBy: (by: Point) => void }) {
  const flow = useReactFlow();
  const last = useRef<Point | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    if (!last.current) return;
    const zoom = flow.getZoom();
    const by = { x: Math.round((clientX - last.current.x) / zoom), y: Math.round((clientY - last.current.y) / zoom) };
    if (by.x === 0 && by.y === 0) return;
    // The rounding error is added to the next move.
    last.current = { x: last.current.x + by.x * zoom, y: last.current.y + by.y * zoom };
    moveBy(by);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    moveBy(by);
  };
  const stop = () => {
    last.current = null;
  };
  return (
    <ActionIcon
      size={32}
      aria-label={`Move ${name}`}
      className="editor-note-handle"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerCancel={stop}
      onKeyDown={onKeyDown}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  );
}

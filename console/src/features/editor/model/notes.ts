import type { Graph, Point } from './graph';
import { isMembers, listOf, type Members } from './json';

/** A text on the canvas. The graph keeps it in `notes`, which no run reads. */
export interface Note extends Members {
  id: string;
  text: string;
  position: Point;
}

const isNote = (value: unknown): value is Note => {
  if (!isMembers(value) || typeof value.id !== 'string' || typeof value.text !== 'string') return false;
  const { position } = value;
  return isMembers(position) && Number.isFinite(position.x) && Number.isFinite(position.y);
};

export function notesOf(graph: Graph): Note[] {
  return listOf(graph.notes).filter(isNote);
}

export function addNote(graph: Graph, { x, y }: Point): Graph {
  const note: Note = { id: crypto.randomUUID(), text: '', position: { x: Math.round(x), y: Math.round(y) } };
  return { ...graph, notes: [...listOf(graph.notes), note] };
}

export function changeNote(graph: Graph, id: string, changed: { text?: string; position?: Point }): Graph {
  return {
    ...graph,
    notes: listOf(graph.notes).map(one => (isNote(one) && one.id === id ? { ...one, ...changed } : one)),
  };
}

export function removeNote(graph: Graph, id: string): Graph {
  const { notes, ...rest } = graph;
  const kept = listOf(notes).filter(one => !isNote(one) || one.id !== id);
  return kept.length > 0 ? { ...rest, notes: kept } : rest;
}

import { isObject, type JsonObject, listOf } from '@/shared/json/json-value';
import { type Graph, nodesOf, type Point } from './graph';

/** A text on the canvas. The graph keeps it in `notes`, which no run reads. */
export interface Note extends JsonObject {
  id: string;
  text: string;
  position: Point;
}

const isNote = (value: unknown): value is Note => {
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.text !== 'string') return false;
  const { position } = value;
  return isObject(position) && Number.isFinite(position.x) && Number.isFinite(position.y);
};

export function notesOf(graph: Graph): Note[] {
  return listOf(graph.notes).filter(isNote);
}

/** The place that a new note takes, with a margin, in pixels. */
const NOTE_SIZE = { width: 260, height: 130 };
const STEP = 40;
const MAX_STEPS = 100;

/** Adds an empty note at a point, or above it if a node or a note is in the way. */
export function addNote(graph: Graph, { x, y }: Point): Graph {
  const taken = [...nodesOf(graph), ...notesOf(graph)].map(({ position }) => position);
  const isFree = (top: number) =>
    taken.every(place => Math.abs(place.x - x) >= NOTE_SIZE.width || Math.abs(place.y - top) >= NOTE_SIZE.height);
  let steps = 0;
  while (steps < MAX_STEPS && !isFree(y - steps * STEP)) steps++;
  const position = { x: Math.round(x), y: Math.round(y - steps * STEP) };
  const note: Note = { id: crypto.randomUUID(), text: '', position };
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

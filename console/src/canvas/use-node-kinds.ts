import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { CanvasNodeKindsDocument, type CanvasNodeKindsQuery } from './node-kinds.generated';

export type CanvasKind = CanvasNodeKindsQuery['nodeKinds'][number];

/** Kinds of nodes by type. Empty while they load, so that a graph appears at once. */
export function useNodeKinds(): ReadonlyMap<string, CanvasKind> {
  const { data } = useQuery(CanvasNodeKindsDocument, { fetchPolicy: 'cache-first' });
  return useMemo(() => new Map(data?.nodeKinds.map(kind => [kind.type, kind])), [data]);
}

/** An output of a node, from which edges start. */
export interface Output {
  /** The `sourceHandle` of its edges. Null for the output of a kind without branches, next to which `error` may exist. */
  handle: string | null;
  title: string;
}

/** The outputs of a node whose kind is unknown or has not loaded. */
const SINGLE_OUTPUT: readonly Output[] = [{ handle: null, title: '' }];

/** The outputs of one node. An output with `list`, a path in the data, exists once for each item of that list. */
export function outputsOf(kind: CanvasKind | undefined, data: Record<string, unknown>): readonly Output[] {
  if (!kind) return SINGLE_OUTPUT;
  return kind.outputs.flatMap(({ handle, title, list, showIf }): Output[] => {
    // Conditions refer to members that all kinds have. These have no defaults, so an absent member does not match.
    if (showIf && !showIf.equals.includes(data[showIf.path])) return [];
    if (list === null || handle === null) return [{ handle, title: handle === null ? '' : title }];
    const items = Array.isArray(data[list]) ? (data[list] as unknown[]) : [];
    return items.map((item, index) => ({
      handle: handle.replace(/\d+$/, String(index)),
      title: itemTitle(item) ?? `${title} ${index + 1}`,
    }));
  });
}

/** The title of a list item, such as a case: the value that it compares with. */
function itemTitle(item: unknown): string | null {
  const value = typeof item === 'object' && item !== null ? (item as { equals?: unknown }).equals : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { CanvasNodeKindsDocument, type CanvasNodeKindsQuery } from './node-kinds.generated';

export type CanvasKind = CanvasNodeKindsQuery['nodeKinds'][number];

/** Kinds of nodes by type. Empty while they load, so that a graph appears at once. */
export function useNodeKinds(): ReadonlyMap<string, CanvasKind> {
  const { data } = useQuery(CanvasNodeKindsDocument, { fetchPolicy: 'cache-first' });
  return useMemo(() => new Map(data?.nodeKinds.map(kind => [kind.type, kind])), [data]);
}

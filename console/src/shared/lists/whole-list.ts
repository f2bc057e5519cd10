import type { ApolloClient, DocumentNode, OperationVariables, StoreObject, TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';

/**
 * Options that a selection with a search draws at once. A selection also draws them while it is closed, so that thousands would make
 * each keystroke slow. The search finds the others.
 */
export const MAX_OPTIONS = 200;

/** A page of a list in the API. */
interface ListPage {
  page: number;
  size: number;
  total: number;
  items: readonly object[];
}

export interface WholeListOptions<Items, Variables> {
  /** The variables of the query without `page`. */
  variables: Omit<Variables, 'page'>;
  skip?: boolean;
  /** No further page loads while this returns true for the loaded items. Absent: all pages load. */
  isEnough?: (items: Items) => boolean;
  /** Milliseconds between two requests for the list. */
  pollInterval?: number;
  fetchPolicy?: 'network-only';
}

export interface WholeList<Items> {
  /** The items that have loaded. While a list loads again, these are the items that it had before. */
  items: Items;
  /** Whether all pages have loaded. */
  isWhole: boolean;
  /** The query of the first page, for its error. */
  query: { data?: unknown; error?: unknown; refetch: () => Promise<unknown> };
}

const NO_ITEMS: readonly never[] = [];

/**
 * Loads a list page by page until it has all items. The query has a variable `page` and selects `page`, `size`, `total` and `items`. The
 * items have an id in the cache. When the query is refetched, the other pages load again too.
 *
 * All pages are cached as the first one. So another query of the list with the same arguments selects `page` and `size`, no fields of
 * items that this query does not select, and adds no pages.
 */
export function useWholeList<
  List extends string,
  Data extends Record<List, ListPage>,
  Variables extends OperationVariables & { page: number },
>(
  document: TypedDocumentNode<Data, Variables>,
  list: List,
  { variables, isEnough, ...options }: WholeListOptions<Data[List]['items'], Variables>,
): WholeList<Data[List]['items']> {
  type Items = Data[List]['items'];
  const client = useApolloClient();
  const first = { ...variables, page: 1 } as unknown as Variables;
  const query = useQuery<Data, Variables>(document, { variables: first, ...options } as useQuery.Options<
    Data,
    Variables
  >);
  const cached = (query.data as Data | undefined)?.[list];
  const missing = cached && cached.page * cached.size < cached.total ? cached.page + 1 : null;
  // A page that could not be loaded is requested again after the next refetch of the list.
  const next = query.loading || (cached && isEnough?.(cached.items)) ? null : missing;
  const key = JSON.stringify(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the variables, which are a new object at each rendering.
  useEffect(() => {
    // The loaded items stay usable without the others.
    if (next !== null) appendPage(client, document, list, { first, page: next }).catch(() => undefined);
  }, [client, document, list, key, next]);
  const isWhole = cached !== undefined && missing === null;
  const [last, setLast] = useState<{ key: string; items: Items }>();
  if (isWhole && (last?.key !== key || last.items !== cached.items)) setLast({ key, items: cached.items });
  const earlier = last?.key === key ? last.items : undefined;
  const items = isWhole ? cached.items : (earlier ?? cached?.items ?? (NO_ITEMS as unknown as Items));
  return { items, isWhole, query };
}

/** Loads a page and adds it to the cached list, if that ends with the page before. */
async function appendPage(
  client: ApolloClient,
  query: DocumentNode,
  list: string,
  { first, page }: { first: OperationVariables; page: number },
): Promise<void> {
  const variables = { ...first, page };
  const { data } = await client.query<Record<string, ListPage>>({ query, variables, fetchPolicy: 'no-cache' });
  const added = data?.[list];
  const idOf = (item: object) => client.cache.identify(item as StoreObject);
  client.cache.updateQuery<Record<string, ListPage>>({ query, variables: first }, cached => {
    const before = cached?.[list];
    // Absent: the list was removed. Another page: it was loaded again, or another component has added the page.
    if (!before || added?.page !== before.page + 1) return null;
    const known = new Set(before.items.map(idOf));
    // An item moves to a later page when others are created in front of it.
    const items = added.items.filter(item => !known.has(idOf(item)));
    return { ...cached, [list]: { ...added, items: [...before.items, ...items] } };
  });
}

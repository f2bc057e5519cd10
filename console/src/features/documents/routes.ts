import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { type ListSearch, listSearch, oneOf } from '@/shared/lists/list-search';

export const TYPES = ['pdf', 'image', 'word', 'sheet', 'slides', 'text'] as const;
export const SIZES = ['small', 'medium', 'large'] as const;
export const ORDERS = ['CREATED_AT_DESC', 'CREATED_AT_ASC', 'FILENAME_ASC', 'SIZE_DESC'] as const;

export interface DocumentSearchParams extends ListSearch {
  type?: (typeof TYPES)[number];
  size?: (typeof SIZES)[number];
  order?: (typeof ORDERS)[number];
}

export interface ChunkSearchParams {
  /** The open recognition run. Absent: the newest. */
  run?: number;
  page?: number;
  /** Which chunks are shown. Absent: all. */
  state?: 'enabled' | 'disabled';
}

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

export const documentRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'documents',
    validateSearch: (search: Record<string, unknown>): DocumentSearchParams => ({
      ...listSearch(search),
      ...withoutUndefined({
        type: oneOf(search.type, TYPES),
        size: oneOf(search.size, SIZES),
        order: oneOf(search.order, ORDERS),
      }),
    }),
    component: lazyRouteComponent(() => import('./documents-screen'), 'DocumentsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'documents/search',
    validateSearch: (search: Record<string, unknown>): { q?: string; document?: number } => ({
      ...(typeof search.q === 'string' ? { q: search.q } : {}),
      ...(Number(search.document) > 0 ? { document: Number(search.document) } : {}),
    }),
    component: lazyRouteComponent(() => import('./search-screen'), 'SearchScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'documents/$documentId',
    validateSearch: (search: Record<string, unknown>): ChunkSearchParams => {
      const { page } = listSearch(search);
      const run = Number(search.run) > 0 ? Number(search.run) : undefined;
      return withoutUndefined({ page, run, state: oneOf(search.state, ['enabled', 'disabled'] as const) });
    },
    component: lazyRouteComponent(() => import('./document-screen'), 'DocumentScreen'),
  }),
];

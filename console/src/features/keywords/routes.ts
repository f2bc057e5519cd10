import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { type ListSearch, listSearch, oneOf } from '@/shared/lists/list-search';

const STATES = ['running', 'finished', 'failed'] as const;
const VIEWS = ['clusters', 'picture'] as const;

export interface KeywordRunsSearch extends ListSearch {
  state?: (typeof STATES)[number];
  /** Whether the dialog of a new run is open. */
  create?: boolean;
}

export interface KeywordRunSearch extends ListSearch {
  /** Absent: the list of keywords. */
  view?: (typeof VIEWS)[number];
}

export const keywordRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'keywords',
    validateSearch: (search: Record<string, unknown>): KeywordRunsSearch => {
      const state = oneOf(search.state, STATES);
      return {
        ...listSearch(search),
        ...(state === undefined ? {} : { state }),
        ...(search.create === true ? { create: true } : {}),
      };
    },
    component: lazyRouteComponent(() => import('./keywords-screen'), 'KeywordsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'keywords/stopwords',
    component: lazyRouteComponent(() => import('./stopwords-screen'), 'StopwordsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'keywords/$keywordRunId',
    validateSearch: (search: Record<string, unknown>): KeywordRunSearch => {
      const view = oneOf(search.view, VIEWS);
      return { ...listSearch(search), ...(view === undefined ? {} : { view }) };
    },
    component: lazyRouteComponent(() => import('./keyword-run-screen'), 'KeywordRunScreen'),
  }),
];

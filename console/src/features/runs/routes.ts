import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { isUuid } from '@/shared/uuid';
import { requestFirstPage } from './list/first-page';
import { parseRunsSearch } from './list/run-filter';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const uuid = (value: unknown) => (typeof value === 'string' && isUuid(value) ? value : undefined);

/** Leaves out absent members, so that addresses stay short. */
function omitEmpty<T extends object>(search: T): Partial<T> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export const runRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'runs',
    validateSearch: parseRunsSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ params, deps }) => requestFirstPage(Number(params.projectId), deps),
    component: lazyRouteComponent(() => import('./list/runs-screen'), 'RunsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'runs/compare',
    // An absent member would keep its text in the address.
    validateSearch: (search: Record<string, unknown>): { left?: string | undefined; right?: string | undefined } => ({
      left: uuid(search.left),
      right: uuid(search.right),
    }),
    component: lazyRouteComponent(() => import('./compare/compare-screen'), 'CompareScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'runs/$runId',
    validateSearch: (search: Record<string, unknown>) =>
      omitEmpty({
        node: text(search.node),
        // The router reads `3` as a number.
        iteration: search.iteration === undefined ? undefined : String(search.iteration),
        tab: text(search.tab),
      }),
    component: lazyRouteComponent(() => import('./view/run-screen'), 'RunScreen'),
  }),
];

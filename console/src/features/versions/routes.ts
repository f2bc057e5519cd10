import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { listSearch } from '@/shared/lists/list-search';

const numberOf = (value: unknown) => (Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined);

export const versionRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/versions',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./versions-screen'), 'VersionsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/versions/compare',
    validateSearch: (search: Record<string, unknown>) => ({
      left: numberOf(search.left) ?? 1,
      right: numberOf(search.right) ?? 1,
    }),
    component: lazyRouteComponent(() => import('./compare-versions-screen'), 'CompareVersionsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/versions/rehearsals/$rehearsalId',
    component: lazyRouteComponent(() => import('./rehearsal-screen'), 'RehearsalScreen'),
  }),
];

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { listSearch } from '@/shared/list-search';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows',
    validateSearch: (search: Record<string, unknown>) => ({
      ...listSearch(search),
      ...(search.create === true ? { create: true } : {}),
    }),
    component: lazyRouteComponent(() => import('./workflows-screen'), 'WorkflowsScreen'),
  }),
];

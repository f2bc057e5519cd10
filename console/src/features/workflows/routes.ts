import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { listSearch, oneOf } from '@/shared/lists/list-search';
import { WORKFLOW_SORTS } from './workflow-search';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows',
    validateSearch: (search: Record<string, unknown>) => ({
      ...listSearch(search),
      ...(search.create === true ? { create: true } : {}),
      ...(search.arrange === true ? { arrange: true } : {}),
      ...(Number.isInteger(search.category) ? { category: Number(search.category) } : {}),
      ...(typeof search.language === 'string' ? { language: search.language } : {}),
      ...(oneOf(search.sort, WORKFLOW_SORTS) ? { sort: oneOf(search.sort, WORKFLOW_SORTS) } : {}),
    }),
    component: lazyRouteComponent(() => import('./workflows-screen'), 'WorkflowsScreen'),
  }),
];

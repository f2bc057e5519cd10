import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';

export const editorRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId',
    validateSearch: ({ node }: Record<string, unknown>): { node?: string } =>
      typeof node === 'string' ? { node } : {},
    component: lazyRouteComponent(() => import('./editor-screen'), 'EditorScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/run',
    component: lazyRouteComponent(() => import('./run-form-screen'), 'RunFormScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/run-many',
    component: lazyRouteComponent(() => import('./bulk/bulk-start-screen'), 'BulkStartScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'forms/$triggerId',
    component: lazyRouteComponent(() => import('./member-form/member-form-screen'), 'MemberFormScreen'),
  }),
];

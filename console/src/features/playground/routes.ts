import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'playground',
    component: lazyRouteComponent(() => import('./playground-screen'), 'PlaygroundScreen'),
  }),
];

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./home-screen'), 'HomeScreen'),
  }),
];

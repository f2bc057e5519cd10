import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';

export const costRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'costs',
    component: lazyRouteComponent(() => import('./costs-screen'), 'CostsScreen'),
  }),
];

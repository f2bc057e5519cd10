import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '@/app/root-route';

export const helpRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: 'help/$page',
    component: lazyRouteComponent(() => import('./help-screen'), 'HelpScreen'),
  }),
];

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute, userRoute } from '@/app/root-route';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./settings-screen'), 'SettingsScreen'),
  }),
];

export const accountRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    // Authorization servers send users to this address (REDIRECT_PATH in connections/connection-settings.ts).
    path: 'connections/authorized',
    component: lazyRouteComponent(() => import('./connections/authorized-screen'), 'AuthorizedScreen'),
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'account',
    component: lazyRouteComponent(() => import('./account-screen'), 'AccountScreen'),
  }),
];

export const adminRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    path: 'admin',
    component: lazyRouteComponent(() => import('./admin/admin-screen'), 'AdminScreen'),
  }),
];

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '@/app/root-route';

/** Only a path of this console: another site could send users to a copy of the form. */
function nextOf(search: Record<string, unknown>): { next?: string } {
  const { next } = search;
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) && next !== '/' ? { next } : {};
}

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'sign-in',
    validateSearch: nextOf,
    component: lazyRouteComponent(() => import('./sign-in-screen'), 'SignInScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'forgot-password',
    component: lazyRouteComponent(() => import('./forgot-password-screen'), 'ForgotPasswordScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reset-password',
    component: lazyRouteComponent(() => import('./reset-password-screen'), 'ResetPasswordScreen'),
  }),
];

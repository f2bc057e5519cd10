import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '@/app/root-route';
import { isSignInProblem, type SignInProblem } from './sign-in-problems';

/** Accepts only a path of this console as `next`. With an address of another site, that site could show a copy of the form. */
function signInSearch(search: Record<string, unknown>): { next?: string; problem?: SignInProblem } {
  const { next, problem } = search;
  return {
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) && next !== '/' ? { next } : {}),
    ...(isSignInProblem(problem) ? { problem } : {}),
  };
}

export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'sign-in',
    validateSearch: signInSearch,
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

import { createRootRoute, createRoute, notFound, Outlet, redirect } from '@tanstack/react-router';
import { createElement } from 'react';
import { currentSession } from '@/session/session';
import { rememberProject } from '@/shared/project/use-project';
import { ErrorScreen } from './error-screen';
import { Frame } from './frame';
import { ItemNotFoundScreen, NotFoundScreen } from './not-found-screen';
import { hasValidIds } from './path-ids';
import { ProjectFrame } from './project-frame';

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundScreen });

/** Screens with the navigation. Those directly below are public. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  errorComponent: ErrorScreen,
  notFoundComponent: NotFoundScreen,
});

/** Screens that need a user. */
export const userRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'user',
  beforeLoad: ({ location }) => {
    if (currentSession().status !== 'signed-in') throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

/** Marks an address whose id no item can have. */
const INVALID_ID = 'invalid id';

/** Screens of one project. `useProjectId()` returns its id. */
export const projectRoute = createRoute({
  getParentRoute: () => userRoute,
  path: 'projects/$projectId',
  component: ProjectFrame,
  beforeLoad: ({ params }) => {
    const id = Number(params.projectId);
    if (!Number.isInteger(id) || id < 1) throw redirect({ to: '/projects', replace: true });
    rememberProject(id);
    // Also has the parameters of the screens below.
    if (!hasValidIds(params)) throw notFound({ data: INVALID_ID });
  },
  notFoundComponent: ({ data }) => createElement(data === INVALID_ID ? ItemNotFoundScreen : NotFoundScreen),
});

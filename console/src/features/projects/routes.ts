import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { userRoute } from '@/app/root-route';
import { listSearch } from '@/shared/lists/list-search';
import { lastProjectId } from '@/shared/project/use-project';

export const projectsRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    path: '/',
    // The start page is the project that was open last.
    beforeLoad: () => {
      const id = lastProjectId();
      if (id === null) throw redirect({ to: '/projects', replace: true });
      throw redirect({ to: '/projects/$projectId', params: { projectId: String(id) }, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => userRoute,
    path: 'projects',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./projects-screen'), 'ProjectsScreen'),
  }),
];

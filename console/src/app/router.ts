import { createRouter } from '@tanstack/react-router';
import { approvalRoutes } from '@/features/approvals/routes';
import { costRoutes } from '@/features/costs/routes';
import { documentRoutes } from '@/features/documents/routes';
import { editorRoutes } from '@/features/editor/routes';
import { helpRoutes } from '@/features/help/routes';
import { homeRoutes } from '@/features/home/routes';
import { keywordRoutes } from '@/features/keywords/routes';
import { catalogRoutes, marketplaceRoutes, offerRoutes } from '@/features/marketplace/routes';
import { playgroundRoutes } from '@/features/playground/routes';
import { projectsRoutes } from '@/features/projects/routes';
import { runRoutes } from '@/features/runs/routes';
import { scenarioRoutes } from '@/features/scenarios/routes';
import { accountRoutes, adminRoutes, settingsRoutes } from '@/features/settings/routes';
import { signInRoutes } from '@/features/sign-in/routes';
import { triggerRoutes } from '@/features/triggers/routes';
import { versionRoutes } from '@/features/versions/routes';
import { workflowRoutes } from '@/features/workflows/routes';
import { PendingScreen } from './pending-screen';
import { frameRoute, projectRoute, rootRoute, userRoute } from './root-route';

const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  frameRoute.addChildren([
    ...marketplaceRoutes,
    ...helpRoutes,
    userRoute.addChildren([
      ...catalogRoutes,
      ...projectsRoutes,
      ...accountRoutes,
      ...adminRoutes,
      projectRoute.addChildren([
        ...homeRoutes,
        ...workflowRoutes,
        ...editorRoutes,
        ...triggerRoutes,
        ...versionRoutes,
        ...scenarioRoutes,
        ...documentRoutes,
        ...keywordRoutes,
        ...playgroundRoutes,
        ...runRoutes,
        ...approvalRoutes,
        ...costRoutes,
        ...settingsRoutes,
        ...offerRoutes,
      ]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 200,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

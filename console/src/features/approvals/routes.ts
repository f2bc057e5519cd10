import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { type ListSearch, listSearch } from '@/shared/lists/list-search';

/** `decided`: the requests that are no longer pending. */
export interface ApprovalSearch extends ListSearch {
  decided?: true;
}

export const approvalRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'approvals',
    validateSearch: (search: Record<string, unknown>): ApprovalSearch => ({
      ...listSearch(search),
      ...(search.decided === true ? { decided: true } : {}),
    }),
    component: lazyRouteComponent(() => import('./approvals-screen'), 'ApprovalsScreen'),
  }),
];

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { type ListSearch, listSearch, oneOf } from '@/shared/lists/list-search';

const CREATED = ['schedule', 'webhook', 'event', 'failure', 'form', 'chat'] as const;

export interface TriggersSearch extends ListSearch {
  /** The kind of the new trigger, while its dialog is open. */
  create?: (typeof CREATED)[number];
}

function triggersSearch(search: Record<string, unknown>): TriggersSearch {
  const create = oneOf(search.create, CREATED);
  return { ...listSearch(search), ...(create === undefined ? {} : { create }) };
}

const listOfTriggers = {
  getParentRoute: () => projectRoute,
  validateSearch: triggersSearch,
  component: lazyRouteComponent(() => import('./triggers-screen'), 'TriggersScreen'),
};

export const triggerRoutes = [
  createRoute({ ...listOfTriggers, path: 'triggers' }),
  createRoute({ ...listOfTriggers, path: 'workflows/$workflowId/triggers' }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'triggers/$triggerId',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./trigger-screen'), 'TriggerScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'chats/$triggerId',
    component: lazyRouteComponent(() => import('./member-chat/member-chat-screen'), 'MemberChatScreen'),
  }),
];

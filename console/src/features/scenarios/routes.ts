import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '@/app/root-route';
import { listSearch, oneOf } from '@/shared/lists/list-search';

const TABS = ['variables', 'runs', 'settings'] as const;

export interface ScenarioSearch {
  /** The open tab. Absent: the messages. */
  tab?: (typeof TABS)[number];
  /** The open message. Absent: the first one. */
  message?: number;
}

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** Reads the state of a list and its dialogs: `create` opens an empty form, `edit` that of an object. */
const readListSearch = (search: Record<string, unknown>) => ({
  ...listSearch(search),
  ...(search.create === true ? { create: true } : {}),
  ...(idOf(search.edit) === undefined ? {} : { edit: idOf(search.edit) }),
});

export const scenarioRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./scenarios-screen'), 'ScenariosScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/prompts',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./prompts/prompts-screen'), 'PromptsScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/variables',
    validateSearch: readListSearch,
    component: lazyRouteComponent(() => import('./variables/variables-screen'), 'VariablesScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/$scenarioId',
    validateSearch: (search: Record<string, unknown>): ScenarioSearch => {
      const tab = oneOf(search.tab, TABS);
      const message = idOf(search.message);
      return { ...(tab === undefined ? {} : { tab }), ...(message === undefined ? {} : { message }) };
    },
    component: lazyRouteComponent(() => import('./scenario-screen'), 'ScenarioScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/$scenarioId/run',
    component: lazyRouteComponent(() => import('./runs/run-form-screen'), 'ScenarioRunFormScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/runs/$scenarioRunId',
    component: lazyRouteComponent(() => import('./runs/run-screen'), 'ScenarioRunScreen'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'scenarios/runs/$scenarioRunId/repeat',
    component: lazyRouteComponent(() => import('./runs/run-form-screen'), 'RepeatRunScreen'),
  }),
];

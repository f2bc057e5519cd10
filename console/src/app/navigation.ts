import {
  IconActivity,
  IconBolt,
  IconBuildingStore,
  IconCash,
  IconChecklist,
  IconFileText,
  IconHome,
  IconLayoutGrid,
  IconMessages,
  IconRoute,
  IconSettings,
  IconSitemap,
  IconTags,
} from '@/icons';

type NavigationTarget =
  | '/projects/$projectId'
  | '/projects/$projectId/workflows'
  | '/projects/$projectId/scenarios'
  | '/projects/$projectId/documents'
  | '/projects/$projectId/keywords'
  | '/projects/$projectId/playground'
  | '/projects/$projectId/runs'
  | '/projects/$projectId/triggers'
  | '/projects/$projectId/approvals'
  | '/projects/$projectId/costs'
  | '/projects/$projectId/settings'
  | '/marketplace'
  | '/catalog';

export interface NavigationItem {
  label: string;
  to: NavigationTarget;
  icon: typeof IconHome;
  /** Other words that the command palette finds it by. */
  keywords: string;
}

interface NavigationGroup {
  label: string;
  items: NavigationItem[];
}

/** Every area of the console. The sidebar and the command palette show them. */
export const NAVIGATION: NavigationGroup[] = [
  {
    label: 'Project',
    items: [
      { label: 'Home', to: '/projects/$projectId', icon: IconHome, keywords: 'overview dashboard activity' },
      {
        label: 'Workflows',
        to: '/projects/$projectId/workflows',
        icon: IconSitemap,
        keywords: 'editor graph canvas node build automation',
      },
      {
        label: 'Scenarios',
        to: '/projects/$projectId/scenarios',
        icon: IconRoute,
        keywords: 'messages prompts variables',
      },
      {
        label: 'Documents',
        to: '/projects/$projectId/documents',
        icon: IconFileText,
        keywords: 'upload files chunks search',
      },
      { label: 'Keywords', to: '/projects/$projectId/keywords', icon: IconTags, keywords: 'clusters stopwords' },
      {
        label: 'Playground',
        to: '/projects/$projectId/playground',
        icon: IconMessages,
        keywords: 'chat models compare',
      },
    ],
  },
  {
    label: 'Operate',
    items: [
      { label: 'Runs', to: '/projects/$projectId/runs', icon: IconActivity, keywords: 'history results trace failed' },
      {
        label: 'Triggers',
        to: '/projects/$projectId/triggers',
        icon: IconBolt,
        keywords: 'schedule cron time webhook call automatic',
      },
      {
        label: 'Approvals',
        to: '/projects/$projectId/approvals',
        icon: IconChecklist,
        keywords: 'inbox decisions agent',
      },
      { label: 'Costs', to: '/projects/$projectId/costs', icon: IconCash, keywords: 'budget ledger spending billing' },
      {
        label: 'Settings',
        to: '/projects/$projectId/settings',
        icon: IconSettings,
        keywords: 'members provider keys webhooks connections budget',
      },
    ],
  },
  {
    label: 'Discover',
    items: [
      { label: 'Marketplace', to: '/marketplace', icon: IconBuildingStore, keywords: 'buy publish copy examples' },
      { label: 'Catalog', to: '/catalog', icon: IconLayoutGrid, keywords: 'templates ready workflows' },
    ],
  },
];

/** Pages of the service outside of the console. */
export const DEVELOPER_LINKS = [
  { label: 'GraphiQL', href: '/graphiql', keywords: 'graphql api query' },
  { label: 'REST reference', href: '/docs', keywords: 'openapi api routes' },
  { label: 'openapi.json', href: '/openapi.json', keywords: 'rest schema machines' },
];

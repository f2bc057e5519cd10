import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute, projectRoute, userRoute } from '@/app/root-route';

export const marketplaceRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: 'marketplace',
    component: lazyRouteComponent(() => import('./marketplace-screen'), 'MarketplaceScreen'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: 'marketplace/$slug',
    component: lazyRouteComponent(() => import('./listing-screen'), 'ListingScreen'),
  }),
];

export const catalogRoutes = [
  createRoute({
    getParentRoute: () => userRoute,
    path: 'catalog',
    component: lazyRouteComponent(() => import('./catalog-screen'), 'CatalogScreen'),
  }),
];

/** The marketplace page of a workflow: its requirements, and its listing or, for a copy, the terms of its author. */
export const offerRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'workflows/$workflowId/marketplace',
    component: lazyRouteComponent(() => import('./offer-screen'), 'OfferScreen'),
  }),
];

import type { Place } from './places/places.js';
import { type GraphQLRow, graphqlRow as row } from './rows.js';

const read = { action: 'project.read' } as const;
const workflow = (place: Place) => ({ id: place.workflow });
const endedRun = (place: Place) => ({ workflowId: place.workflow, id: place.ended });
const slug = (place: Place) => ({ slug: place.slug });

/** The marketplace, the catalog, and publishing. */
export const GRAPHQL_MARKET_ROWS: GraphQLRow[] = [
  row('catalogWorkflow', read, workflow),
  row('catalogWorkflows', 'user'),
  row('marketplaceExample', 'public', place => ({ ...slug(place), runId: place.example })),
  row('marketplaceExamples', 'public', slug),
  row('marketplaceWorkflow', 'public', slug),
  row('marketplaceWorkflows', 'public'),
  row('projectEarnings', read, place => ({ projectId: place.project })),

  row('workflowBookmarkAdd', read, workflow),
  row('workflowBookmarkRemove', read, workflow),
  row(
    'workflowCopyFromMarketplace',
    { action: 'workflow.create' },
    place => ({ ...slug(place), projectId: place.project }),
    { missing: 'BAD_USER_INPUT' },
  ),
  row('workflowPublish', { action: 'workflow.publish' }, workflow),
  row('workflowRunExampleSet', { action: 'workflow.mark-example' }, place => ({
    ...endedRun(place),
    useInMarketplaceExample: true,
  })),
  row('workflowRunTemplateSet', { action: 'workflow.mark-template' }, place => ({
    ...endedRun(place),
    useAsMarketplaceTemplate: true,
  })),
  row('workflowTermsAccept', { action: 'workflow.accept-terms' }, place => ({
    ...workflow(place),
    runFee: 0,
    freeRunsPerUser: 0,
  })),
  row('workflowUnpublish', { action: 'workflow.unpublish' }, workflow),
];

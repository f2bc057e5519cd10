import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';

const READ_RULE = { action: 'project.read' } as const;
const workflow = (fixture: Fixture) => ({ id: fixture.workflow });
const endedRun = (fixture: Fixture) => ({ workflowId: fixture.workflow, id: fixture.ended });
const slug = (fixture: Fixture) => ({ slug: fixture.slug });

/** The marketplace, the catalog, and publishing. */
export const GRAPHQL_MARKET_ROWS: GraphQLRow[] = [
  row('catalogWorkflow', READ_RULE, workflow),
  row('catalogWorkflows', 'user'),
  row('marketplaceExample', 'public', fixture => ({ ...slug(fixture), runId: fixture.example })),
  row('marketplaceExamples', 'public', slug),
  row('marketplaceWorkflow', 'public', slug),
  row('marketplaceWorkflows', 'public'),
  row('projectEarnings', READ_RULE, fixture => ({ projectId: fixture.project })),

  row('workflowBookmarkAdd', READ_RULE, workflow),
  row('workflowBookmarkRemove', READ_RULE, workflow),
  row(
    'workflowCopyFromMarketplace',
    { action: 'workflow.create' },
    fixture => ({ ...slug(fixture), projectId: fixture.project }),
    BAD_INPUT_IF_MISSING,
  ),
  row('workflowPublish', { action: 'workflow.publish' }, workflow),
  row('workflowRunExampleSet', { action: 'workflow.mark-example' }, fixture => ({
    ...endedRun(fixture),
    useInMarketplaceExample: true,
  })),
  row('workflowRunTemplateSet', { action: 'workflow.mark-template' }, fixture => ({
    ...endedRun(fixture),
    useAsMarketplaceTemplate: true,
  })),
  row('workflowTermsAccept', { action: 'workflow.accept-terms' }, fixture => ({
    ...workflow(fixture),
    runFee: 0,
    freeRunsPerUser: 0,
  })),
  row('workflowUnpublish', { action: 'workflow.unpublish' }, workflow),
];

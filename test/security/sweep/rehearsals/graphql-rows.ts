import type { Fixture } from '../fixtures/fixtures.js';
import { type GraphQLRow, graphqlRow as row } from '../rows.js';

const rehearse = { action: 'workflow.rehearse' } as const;
const READ_RULE = { action: 'project.read' } as const;
const ofWorkflow = (fixture: Fixture) => ({ workflowId: fixture.workflow, budgetUsd: '0' });
const theRehearsal = (fixture: Fixture) => ({ id: fixture.rehearsal });

export const GRAPHQL_REHEARSAL_ROWS: GraphQLRow[] = [
  row('workflowPublishCheck', rehearse, ofWorkflow),
  row('workflowWhatIf', rehearse, fixture => ({ ...ofWorkflow(fixture), change: { nodeId: 'if', prompt: 'New' } })),
  // The bad run has not ended.
  row(
    'workflowBisect',
    rehearse,
    fixture => ({ ...ofWorkflow(fixture), goodRunId: fixture.ended, badRunId: fixture.run }),
    {
      success: 'BAD_USER_INPUT',
    },
  ),
  row('workflowRehearsalCancel', rehearse, theRehearsal),
  row('workflowRehearsals', READ_RULE, fixture => ({ workflowId: fixture.workflow })),
  row('workflowRehearsal', READ_RULE, theRehearsal),
  row('workflowRehearsedRuns', READ_RULE, fixture => ({ rehearsalId: fixture.rehearsal })),
  row('workflowRehearsalChanged', READ_RULE, theRehearsal),
  row('projectPublishCheckSet', { action: 'project.update' }, fixture => ({
    projectId: fixture.project,
    requirement: 'NO_FAILURES',
  })),
];

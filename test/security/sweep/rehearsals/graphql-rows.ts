import type { Place } from '../places/places.js';
import { type GraphQLRow, graphqlRow as row } from '../rows.js';

const rehearse = { action: 'workflow.rehearse' } as const;
const read = { action: 'project.read' } as const;
const ofWorkflow = (place: Place) => ({ workflowId: place.workflow, budgetUsd: '0' });
const theRehearsal = (place: Place) => ({ id: place.rehearsal });

export const GRAPHQL_REHEARSAL_ROWS: GraphQLRow[] = [
  row('workflowPublishCheck', rehearse, ofWorkflow),
  row('workflowWhatIf', rehearse, place => ({ ...ofWorkflow(place), change: { nodeId: 'if', prompt: 'New' } })),
  // The bad run has not ended.
  row('workflowBisect', rehearse, place => ({ ...ofWorkflow(place), goodRunId: place.ended, badRunId: place.run }), {
    success: 'BAD_USER_INPUT',
  }),
  row('workflowRehearsalCancel', rehearse, theRehearsal),
  row('workflowRehearsals', read, place => ({ workflowId: place.workflow })),
  row('workflowRehearsal', read, theRehearsal),
  row('workflowRehearsedRuns', read, place => ({ rehearsalId: place.rehearsal })),
  row('workflowRehearsalChanged', read, theRehearsal),
  row('projectPublishCheckSet', { action: 'project.update' }, place => ({
    projectId: place.project,
    requirement: 'NO_FAILURES',
  })),
];

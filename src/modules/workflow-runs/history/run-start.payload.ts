import { Field, Int, ObjectType } from 'type-graphql';
import type { BudgetUse } from '../../../platform/errors/errors.js';
import { BudgetRefusal, MutationError, refusal } from '../../../platform/graphql/mutation-error.type.js';
import { WorkflowIssue } from '../../workflows/workflow-check.type.js';
import { WorkflowRunReceipt } from './workflow-run.inputs.js';
import { WorkflowRun } from './workflow-run.js';

@ObjectType('RunRefusedError', {
  implements: MutationError,
  description: 'The graph or the input of a run is invalid. The run is recorded as failed: `receipt` has its id.',
})
export class RunRefusal extends MutationError {
  @Field(() => Int, { description: 'Inner status: 422 a node is invalid, 400 the graph or the input is malformed.' })
  status!: number;

  @Field(() => [WorkflowIssue], {
    description:
      'What is wrong, with the codes of `workflowCheck`: at most 1,000 issues of nodes, or 100 of the structure.',
  })
  issues!: WorkflowIssue[];
}

/** The payload of mutations that start a run. */
export const RUN_START = {
  returns: { receipt: () => WorkflowRunReceipt, run: () => WorkflowRun },
  refusalsOf: ({ status, data, refusal: details }: WorkflowRunReceipt): MutationError[] => {
    if (status === 201) return [];
    if (status === 402) return [budgetRefusal(data.error as { message: string }, details?.use)];
    const issues = (details?.issues ?? []).map(({ node_id, edge_id, ...issue }) => ({
      ...issue,
      nodeId: node_id,
      edgeId: edge_id,
    }));
    return [refusal(RunRefusal, { code: 'BAD_USER_INPUT', message: SUMMARY, path: [], status, issues })];
  },
};

const SUMMARY = 'The run was refused.';

function budgetRefusal({ message }: { message: string }, use?: BudgetUse): BudgetRefusal {
  const { limitUsd = null, spentUsd = null } = use ?? {};
  return refusal(BudgetRefusal, { code: 'BUDGET_EXCEEDED', message, path: [], limitUsd, spentUsd });
}

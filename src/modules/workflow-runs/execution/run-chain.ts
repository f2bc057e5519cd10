/** Maximum number of workflows that start one another. */
export const MAX_CHAIN = 10;

/** The workflows that led to work which a run starts, the workflow of the run included. */
export function chainOf({
  ancestry,
  workflowId,
}: {
  ancestry: readonly number[];
  workflowId: number | null;
}): number[] {
  return [...ancestry, ...(workflowId === null ? [] : [workflowId])];
}

/** Returns why a chain may not start a workflow. Null: it may. No workflow is twice in a chain, so that it cannot be a loop. */
export function chainFault(chain: readonly number[], workflowId: number): string | null {
  if (chain.includes(workflowId))
    return `Workflow ${workflowId} is already in this chain of runs: it would start itself.`;
  return chain.length >= MAX_CHAIN ? `Workflows can start one another at most ${MAX_CHAIN} levels deep.` : null;
}

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

/** Why a chain may not start a workflow. */
export interface ChainFault {
  code: 'recursive_workflow' | 'too_deep';
  message: string;
}

/** Returns why a chain may not start a workflow. Null: it may. No workflow is twice in a chain, so that it cannot be a loop. */
export function chainFault(chain: readonly number[], workflowId: number): ChainFault | null {
  if (chain.includes(workflowId)) {
    const message = `Workflow ${workflowId} is already in this chain of runs: it would start itself.`;
    return { code: 'recursive_workflow', message };
  }
  if (chain.length < MAX_CHAIN) return null;
  return { code: 'too_deep', message: `Workflows can start one another at most ${MAX_CHAIN} levels deep.` };
}

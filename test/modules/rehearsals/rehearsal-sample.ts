import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';

const FIELDS = `id state verdict error runsCount endedCount revisionNumber budget { usd } spent { usd } costBefore { usd } costAfter { usd }
  finding { cause revisionNumber previousNumber nodeIds changesCount replaysCount }`;
const RUNS = `query ($id: UUID!) { workflowRehearsedRuns(rehearsalId: $id, size: 100) { total items {
  id runId revisionNumber outcome firstChange { nodeId label before after } changes { nodeId } outputBefore outputAfter errorBefore errorAfter
  costBefore { usd } costAfter { usd } durationBeforeMs durationAfterMs executedCount reusedCount assumedNodeIds heldNodeIds isBad } } }`;
export const CHECK = `mutation ($id: Int!, $budget: Decimal!, $runs: WorkflowRehearsalRunsInput, $number: Int, $allow: [WorkflowRehearsalAllowance!]) {
  workflowPublishCheck(workflowId: $id, budgetUsd: $budget, runs: $runs, revisionNumber: $number, allow: $allow) { rehearsal { ${FIELDS} } errors { message code path } } }`;
export const WHAT_IF = `mutation ($id: Int!, $budget: Decimal!, $change: WorkflowNodeChangeInput!, $runs: WorkflowRehearsalRunsInput) {
  workflowWhatIf(workflowId: $id, budgetUsd: $budget, change: $change, runs: $runs) { rehearsal { ${FIELDS} } errors { message code path } } }`;
export const BISECT = `mutation ($id: Int!, $budget: Decimal!, $good: UUID!, $bad: UUID!) {
  workflowBisect(workflowId: $id, budgetUsd: $budget, goodRunId: $good, badRunId: $bad) { rehearsal { ${FIELDS} } errors { message code path } } }`;

/** Starts rehearsals and workflows of one service. */
export function rehearsalSample(service: TestService) {
  const get = async (id: string) => {
    const query = `query ($id: UUID!) { workflowRehearsal(id: $id) { ${FIELDS} } }`;
    return (await service.graphql(query, { id })).data.workflowRehearsal;
  };
  const awaitEnd = (id: string) =>
    eventually(
      () => get(id),
      ({ state }) => state !== 'QUEUED' && state !== 'RUNNING',
    );
  return {
    get,
    awaitEnd,
    runsOf: async (id: string): Promise<any[]> =>
      (await service.graphql(RUNS, { id })).data.workflowRehearsedRuns.items,
    /** Starts a rehearsal and returns it at its end. */
    async rehearse(mutation: string, variables: Record<string, unknown>): Promise<any> {
      const { data, errors } = await service.graphql(mutation, { budget: '1', ...variables });
      const [payload] = Object.values<any>(data ?? {});
      if (errors || payload.errors.length > 0) throw new Error(JSON.stringify(errors ?? payload.errors));
      return awaitEnd(payload.rehearsal.id);
    },
    async createWorkflow(project: number, data: unknown): Promise<number> {
      return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
    },
    save: (workflow: number, data: unknown) =>
      service.rest('PATCH', `/api/v1/workflows/${workflow}/`, { body: { data } }),
    async runOf(workflow: number, input: unknown): Promise<string> {
      const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
      await eventually(
        async () => (await service.rest('GET', `/api/v1/workflows/workflow_result/?id=${body.data.id}`)).body.data,
        ({ status }) => ['succeed', 'failed'].includes(status),
      );
      return body.data.id;
    },
  };
}

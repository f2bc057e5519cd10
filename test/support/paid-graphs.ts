import { chain, type GraphData, llm, trigger } from './graphs.js';
import type { TestService } from './service.js';

/**
 * The estimated cost of a call of `paidGraph`, which equals the actual cost: 1000 input tokens and 500 output tokens.
 */
export const CALL_USD = '0.00045';

/** trigger → llm: one call whose estimate equals the usage that the stub upstream reports. */
export function paidGraph(more: Record<string, unknown> = {}): GraphData {
  const settings = { model_name: 'gpt-4o-mini', max_tokens: 500 };
  return chain(trigger(), llm('word '.repeat(800), 'gpt-4o-mini', { settings, ...more }));
}

export interface PaidWorkflow {
  project: number;
  workflow: number;
}

/** Creates a workflow in a new project, optionally with a spending limit. */
export async function createPaidWorkflow(
  service: TestService,
  limitUsd: string | null = null,
  data: GraphData = paidGraph(),
): Promise<PaidWorkflow> {
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Paid' } })).body.id;
  const body = { project, title: 'Paid', data };
  const workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  if (limitUsd !== null) await setBudget(service, project, limitUsd);
  return { project, workflow };
}

export async function setBudget(service: TestService, project: number, limitUsd: string | null): Promise<void> {
  const { errors } = await service.graphql(
    'mutation ($id: Int!, $limit: Decimal) { projectBudgetSet(projectId: $id, limitUsd: $limit) { project { id } } }',
    { id: project, limit: limitUsd },
  );
  if (errors) throw new Error(JSON.stringify(errors));
}

/** The counters of the project, and the sums of its ledger rows and its reservations. */
export async function accountOf(service: TestService, project: number) {
  const [row] = await service.sql<{ spent: string; reserved: string; ledger: string; held: string; runs: string }>(
    `select trim_scale(p.total_spent_usd)::text as spent, trim_scale(p.reserved_usd)::text as reserved,
            (select trim_scale(coalesce(sum(amount_usd), 0))::text from billing_transaction where project_id = p.id) as ledger,
            (select trim_scale(coalesce(sum(amount_usd), 0))::text from budget_reservation where project_id = p.id) as held,
            (select trim_scale(coalesce(sum(cost_usd), 0))::text from workflow_run where project_id = p.id) as runs
       from project p where p.id = $1`,
    [project],
  );
  return row!;
}

/** Expected values if all totals agree, this much is spent, and no call is in progress. */
export function settledAt(usd: string) {
  return { spent: usd, ledger: usd, runs: usd, reserved: '0', held: '0' };
}

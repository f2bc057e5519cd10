import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import type { RequestContext } from '../accounts/request-context.js';
import { CostSummary } from './cost-summary.type.js';
import { RunSummary } from './run-summary.type.js';
import { CostGroup, SummaryInterval } from './summary.inputs.js';
import type { SummaryService } from './summary.service.js';

const PROJECT = { description: 'The id of the project.' };
const FROM = { description: 'The start of the range. Rounded down to a full hour.' };
const TO = { description: 'The end of the range, not included. Rounded up to a full hour.' };
const INTERVAL = {
  nullable: true,
  description: 'Divides the range into intervals. Default: one sum for the whole range.',
};

@Resolver()
export class SummaryResolver {
  constructor(private readonly summaries: SummaryService) {}

  @Query(() => CostSummary, {
    description: 'The costs of a project in a time range, without the commissions it earned. Requires the role viewer.',
  })
  costSummary(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('from', () => DateTime, FROM) from: Date,
    @Arg('to', () => DateTime, TO) to: Date,
    @Arg('groupBy', () => [CostGroup], {
      defaultValue: [],
      description: 'The properties by which the costs are grouped, at most 4. Default: not grouped.',
    })
    groupBy: CostGroup[],
    @Arg('interval', () => SummaryInterval, INTERVAL) interval: SummaryInterval | null,
  ) {
    return this.summaries.costs(viewer, { projectId, range: { from, to }, interval: interval ?? null }, groupBy);
  }

  @Query(() => RunSummary, {
    description:
      'Counts, durations and costs of the workflow runs that ended in a time range. A run that an execution service reports more than three minutes after its end may be missing. Requires the role viewer.',
  })
  runSummary(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, PROJECT) projectId: number,
    @Arg('workflowId', () => Int, { nullable: true, description: 'The id of a workflow. Includes only its runs.' })
    workflowId: number | null,
    @Arg('from', () => DateTime, FROM) from: Date,
    @Arg('to', () => DateTime, TO) to: Date,
    @Arg('interval', () => SummaryInterval, INTERVAL) interval: SummaryInterval | null,
  ) {
    const query = { projectId, range: { from, to }, interval: interval ?? null };
    return this.summaries.runs(viewer, query, workflowId ?? null);
  }
}

import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../../platform/database/database.js';
import { NotFoundError } from '../../../platform/errors/errors.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { BillingService } from '../../billing/billing.service.js';
import { BillingTransactionPage } from '../../billing/billing-transaction.js';
import { Project } from '../../projects/project.js';
import { projectOf } from '../../projects/project-loaders.js';
import { ScenarioRun } from '../../scenario-runs/scenario-run.js';
import { Workflow } from '../../workflows/workflow.js';
import { RunFilter } from '../history/run-filter.inputs.js';
import type { RunLists } from '../history/run-lists.js';
import { WorkflowRunOrder, WorkflowRunPage } from '../history/workflow-run.inputs.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';

const FILTER = { nullable: true, description: 'Filter for runs.' };
const NEWEST = WorkflowRunOrder.CREATED_AT_DESC;

@Resolver(() => Project)
export class ProjectRunsResolver {
  constructor(private readonly lists: RunLists) {}

  @FieldResolver(() => WorkflowRunPage, {
    description: 'Runs of the project, including runs of graphs without a stored workflow. Newest first.',
  })
  workflowRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Arg('filter', () => RunFilter, FILTER) filter: RunFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.lists.ofProject(context, project.id, { filter, order: NEWEST }, page);
  }
}

@Resolver(() => ScenarioRun)
export class WorkflowsOfScenarioRunResolver {
  constructor(private readonly lists: RunLists) {}

  @FieldResolver(() => WorkflowRunPage, {
    description: 'The workflow runs that messages of the run started, with their sub-runs. Newest first.',
  })
  workflowRuns(
    @Ctx() context: RequestContext,
    @Root() run: ScenarioRun,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.lists.ofScenarioRun(context, run.id, page);
  }
}

@Resolver(() => Workflow)
export class WorkflowHistoryResolver {
  constructor(private readonly lists: RunLists) {}

  @FieldResolver(() => WorkflowRunPage, { description: 'Runs of the workflow.' })
  runs(
    @Ctx() context: RequestContext,
    @Root() workflow: Workflow,
    @Arg('filter', () => RunFilter, FILTER) filter: RunFilter | null,
    @Arg('order', () => WorkflowRunOrder, {
      defaultValue: NEWEST,
      description: 'Order of the runs. Default: newest first.',
    })
    order: WorkflowRunOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.lists.ofWorkflow(context, workflow.id, { filter, order }, page);
  }
}

@Resolver(() => WorkflowRun)
export class WorkflowRunRelativesResolver {
  constructor(
    private readonly database: Database,
    private readonly runs: WorkflowRunService,
    private readonly ledger: BillingService,
  ) {}

  @FieldResolver(() => Project, { description: 'Project of the run.' })
  project(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => WorkflowRun, {
    nullable: true,
    description:
      'The run that started this run as a sub-run. Null for other runs, and when the starting run is deleted.',
  })
  parentRun(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.#run(context, run.parentRunId);
  }

  @FieldResolver(() => WorkflowRun, {
    nullable: true,
    description: 'The run from which this run was forked. Null for other runs, and when the original run is deleted.',
  })
  forkedFrom(@Ctx() context: RequestContext, @Root() run: WorkflowRun) {
    return this.#run(context, run.forkedFromId);
  }

  @FieldResolver(() => BillingTransactionPage, {
    description: 'Charges of the run, with one transaction per executed node. Newest first.',
  })
  billingTransactions(
    @Ctx() context: RequestContext,
    @Root() run: WorkflowRun,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.ledger.pageOfRun(context, run.id, page);
  }

  async #run(context: RequestContext, id: string | null): Promise<WorkflowRun | null> {
    if (id === null) return null;
    try {
      return await this.runs.load(context, id);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}

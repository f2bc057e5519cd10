import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { loadRow } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { Scenario } from '../scenarios/scenario.js';
import { SCENARIO_READS } from '../scenarios/scenario-reads.js';
import { ScenarioRunPage } from './scenario-run.inputs.js';
import { ScenarioRun } from './scenario-run.js';
import { type ScenarioRunRow, selectNewestScenarioRuns, toScenarioRun } from './scenario-run-rows.js';

const OF_PROJECT: NestedRows<number, ScenarioRunRow, ScenarioRun> = {
  name: 'project.scenarioRuns',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestScenarioRuns(sql).where('project_id', '=', parent),
  itemsOf: async rows => rows.map(toScenarioRun),
};

const OF_SCENARIO: NestedRows<number, ScenarioRunRow, ScenarioRun> = {
  name: 'scenario.runs',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestScenarioRuns(sql).where('scenario_id', '=', parent),
  itemsOf: async rows => rows.map(toScenarioRun),
};

@Resolver(() => Project)
export class ProjectScenarioRunsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => ScenarioRunPage, { description: 'The scenario runs of the project, newest first.' })
  scenarioRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedRows(context, this.database, OF_PROJECT, project.id, page);
  }
}

@Resolver(() => Scenario)
export class ScenarioRunsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => ScenarioRunPage, { description: 'The runs of the scenario, newest first.' })
  runs(@Ctx() context: RequestContext, @Root() scenario: Scenario, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, OF_SCENARIO, scenario.id, page);
  }
}

@Resolver(() => ScenarioRun)
export class ScenarioRunRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The project that owns the run.' })
  project(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => Scenario, { nullable: true, description: 'The scenario; null if it was deleted.' })
  scenario(@Ctx() context: RequestContext, @Root() run: ScenarioRun) {
    const read = (ids: readonly number[]) => SCENARIO_READS.byIds(this.database, ids);
    return loadRow(context, { name: 'scenario', read }, run.scenarioId);
  }
}

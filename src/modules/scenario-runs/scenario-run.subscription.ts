import { Arg, Ctx, FieldResolver, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../accounts/request-context.js';
import { ScenarioRun } from './scenario-run.js';
import type { ScenarioRunService } from './scenario-run.service.js';
import { ScenarioRunChange } from './scenario-run-change.type.js';

@Resolver(() => ScenarioRunChange)
export class ScenarioRunSubscriptionResolver {
  constructor(private readonly runs: ScenarioRunService) {}

  @Subscription(() => ScenarioRunChange, {
    name: 'scenarioRunChanged',
    description:
      'A run of a scenario, live, whichever process executes it: first the present state, then each change once and in order. Completes when the run has ended. NOT_FOUND when the run is not the caller’s.',
    topics: 'scenarioRunChanged',
    topicId: ({ args, context }) => ({ args, context }),
  })
  changed(
    @Root() change: ScenarioRunChange,
    @Arg('id', () => Int, { description: 'The run.' }) _id: number,
  ): ScenarioRunChange {
    return change;
  }

  @FieldResolver(() => ScenarioRun, { description: 'The run’s record as it is now.' })
  run(@Ctx() { viewer }: RequestContext, @Root() change: ScenarioRunChange) {
    return this.runs.get(viewer, change.runId);
  }
}

import { Arg, Ctx, FieldResolver, Int, Resolver, Root, Subscription } from 'type-graphql';
import { streamRequest } from '../../platform/graphql/stream-request.js';
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
      'Sends the current state of a scenario run, then each change once and in order. Completes when the run has ended. Fails with NOT_FOUND if the run does not exist or the caller cannot access it.',
    topics: 'scenarioRunChanged',
    // The stream of the topic, which the module provides, reads `id` from the request and checks the access.
    topicId: streamRequest,
  })
  changed(
    @Root() change: ScenarioRunChange,
    @Arg('id', () => Int, { description: 'Id of the scenario run.' }) _id: number,
  ): ScenarioRunChange {
    return change;
  }

  @FieldResolver(() => ScenarioRun, { description: 'The current state of the run.' })
  run(@Ctx() { viewer }: RequestContext, @Root() change: ScenarioRunChange) {
    return this.runs.get(viewer, change.runId);
  }
}

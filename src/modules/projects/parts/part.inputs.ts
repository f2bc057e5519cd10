import { Field, InputType, Int } from 'type-graphql';
import type { PartFilter } from './scenario-parts.js';

@InputType({ description: 'Filters the parts of scenarios. All given conditions must match.' })
export abstract class KeyedPartFilter implements PartFilter {
  @Field(() => Int, { nullable: true, description: 'The id of a project: lists only its parts.' })
  projectId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'A part of the key, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  keyContains?: string | null;

  @Field(() => Int, { nullable: true, description: 'Only the copies of the scenario run with this id.' })
  scenarioRunId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: only copies of scenario runs. False: only originals. Default: false, unless `scenarioRunId` is set.',
  })
  hasScenarioRun?: boolean | null;
}

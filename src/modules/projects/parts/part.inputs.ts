import { Field, InputType, Int } from 'type-graphql';
import type { PartFilter } from './scenario-parts.js';

@InputType({ description: 'Filters the parts of scenarios. All given conditions must match.' })
export abstract class KeyedPartFilter implements PartFilter {
  @Field(() => Int, { nullable: true, description: 'The id of a project: lists only its parts.' })
  project?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'A part of the key, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  keyContains?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      '`true`: only copies of scenario runs. `false`: only originals. The id of a scenario run, for example `42`: the copies of that run. Default: only originals.',
  })
  scenariorun?: string | null;
}

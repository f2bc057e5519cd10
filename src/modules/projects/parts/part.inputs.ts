import { Field, InputType, Int } from 'type-graphql';
import type { PartFilter } from './scenario-parts.js';

@InputType({ description: 'Which parts of scenarios to list.' })
export abstract class KeyedPartFilter implements PartFilter {
  @Field(() => Int, { nullable: true, description: 'Those of one project.' })
  project?: number | null;

  @Field(() => String, { nullable: true, description: 'Part of the key, in any case; `%` and `_` are literal.' })
  keyContains?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`true`: copies that scenario runs work on, `false`: all others, an id: the copies of that run.',
  })
  scenariorun?: string | null;
}

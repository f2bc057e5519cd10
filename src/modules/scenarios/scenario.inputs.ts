import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import type { PartFilter } from '../projects/parts/scenario-parts.js';
import { MarketPermission, Scenario } from './scenario.js';

@InputType({ description: 'What external users see of a scenario.' })
abstract class ScenarioDescription {
  @Field(() => Int, { nullable: true, description: 'A subcategory of the category; null: none.' })
  subcategory?: number | null;

  @Field(() => [String], { nullable: true, description: 'Language codes such as `en` or `pt-BR`, at most 100.' })
  availableLanguages?: string[] | null;

  @Field(() => String, { nullable: true, description: 'At most 255 characters.' })
  marketTitle?: string | null;

  @Field(() => String, { nullable: true, description: 'One paragraph, at most 2,000 characters.' })
  shortDescription?: string | null;

  @Field(() => MarketPermission, { nullable: true, description: 'Who it is for. Default: PRIVATE.' })
  marketPermission?: MarketPermission | null;

  @Field(() => String, { nullable: true, description: 'A guide in Markdown, at most 100,000 characters.' })
  readmeGuide?: string | null;
}

const MESSAGES = 'Ids of messages of the project, at most 200; they run by their positions.';

@InputType({ description: 'A new scenario.' })
export class ScenarioCreateInput extends ScenarioDescription {
  @Field(() => String, { description: '1-255 characters.' })
  name!: string;

  @Field(() => Int, { description: 'The owning project.' })
  project!: number;

  @Field(() => Int, { description: 'The category.' })
  category!: number;

  @Field(() => Int, { description: 'Fee for external users, in percent of the AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'Runs that each user has free of the fee, 0 or more.' })
  freeRunsPerUser!: number;

  @Field(() => [Int], { description: MESSAGES })
  messages!: number[];
}

@InputType({ description: 'Changes to a scenario; what is left out stays.' })
export class ScenarioUpdateInput extends ScenarioDescription {
  @Field(() => String, { nullable: true, description: '1-255 characters.' })
  name?: string;

  @Field(() => Int, { nullable: true, description: 'The category.' })
  category?: number;

  @Field(() => Int, { nullable: true, description: 'Fee for external users, in percent of the AI cost, 0-999.' })
  runFee?: number;

  @Field(() => Int, { nullable: true, description: 'Runs that each user has free of the fee, 0 or more.' })
  freeRunsPerUser?: number;

  @Field(() => [Int], { nullable: true, description: `Replaces the messages. ${MESSAGES}` })
  messages?: number[];
}

@InputType({ description: 'Which scenarios to list.' })
export class ScenarioFilter implements PartFilter {
  @Field(() => Int, { nullable: true, description: 'Those of one project.' })
  project?: number | null;

  @Field(() => String, { nullable: true, description: 'Part of the name, in any case; `%` and `_` are literal.' })
  nameContains?: string | null;

  @Field(() => Int, { nullable: true, description: 'The copy that this scenario run works on.' })
  scenariorun?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to leave out the copies that runs work on, or all others. Default: true, unless `scenariorun` is given.',
  })
  scenariorunIsNull?: boolean | null;

  @Field(() => [Int], { nullable: true, description: 'Those of any of these categories, at most 100.' })
  categories?: number[] | null;
}

@ObjectType({ description: 'One page of scenarios.' })
export class ScenarioPage extends pageOf(Scenario) {}

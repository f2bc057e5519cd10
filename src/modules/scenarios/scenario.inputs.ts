import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import type { PartFilter } from '../projects/parts/scenario-parts.js';
import { MarketPermission, Scenario } from './scenario.js';

@InputType({ description: 'The marketplace description of a scenario, for users outside its project.' })
abstract class ScenarioDescription {
  @Field(() => Int, { nullable: true, description: 'Id of a subcategory of the category; null: none.' })
  subcategoryId?: number | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Languages of the scenario: at most 100 codes such as `en` or `pt-BR`. Default: none.',
  })
  availableLanguages?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Title for users outside the project, at most 255 characters. Default: empty.',
  })
  marketTitle?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Short description for users outside the project: one paragraph, at most 2,000 characters. Default: empty.',
  })
  shortDescription?: string | null;

  @Field(() => MarketPermission, {
    nullable: true,
    description: 'Intended audience. It does not change access rights. Default: PRIVATE.',
  })
  marketPermission?: MarketPermission | null;

  @Field(() => String, {
    nullable: true,
    description: 'Guide for users in Markdown, at most 100,000 characters. Default: empty.',
  })
  readmeGuide?: string | null;
}

const MESSAGES =
  'Ids of at most 200 messages of the project. They are sent in the order of their positions, not in the order of this list.';

@InputType({ description: 'A new scenario.' })
export class ScenarioCreateInput extends ScenarioDescription {
  @Field(() => String, { description: 'Name of the scenario, 1-255 characters.' })
  name!: string;

  @Field(() => Int, { description: 'Id of the project that owns the scenario.' })
  projectId!: number;

  @Field(() => Int, { description: 'Id of the category.' })
  categoryId!: number;

  @Field(() => Int, { description: 'Fee for users outside the project, in percent of the AI cost, 0-999.' })
  runFee!: number;

  @Field(() => Int, { description: 'Number of runs without the fee for each user, 0-1,000,000,000.' })
  freeRunsPerUser!: number;

  @Field(() => [Int], { description: MESSAGES })
  messageIds!: number[];
}

@InputType({ description: 'Changes to a scenario. Omitted fields stay unchanged.' })
export class ScenarioUpdateInput extends ScenarioDescription {
  @Field(() => String, { nullable: true, description: 'Name of the scenario, 1-255 characters.' })
  name?: string;

  @Field(() => Int, { nullable: true, description: 'Id of the category.' })
  categoryId?: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Fee for users outside the project, in percent of the AI cost, 0-999.',
  })
  runFee?: number;

  @Field(() => Int, { nullable: true, description: 'Number of runs without the fee for each user, 0-1,000,000,000.' })
  freeRunsPerUser?: number;

  @Field(() => [Int], { nullable: true, description: `Replaces all messages. ${MESSAGES}` })
  messageIds?: number[];
}

@InputType({ description: 'Conditions for listing scenarios. All given conditions must match.' })
export class ScenarioFilter implements PartFilter {
  @Field(() => Int, { nullable: true, description: 'Only scenarios of the project with this id.' })
  projectId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only scenarios whose name contains this text, ignoring case. `%` and `_` are not wildcards.',
  })
  nameContains?: string | null;

  @Field(() => Int, { nullable: true, description: 'Only the copy of the scenario run with this id.' })
  scenarioRunId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: only copies of scenario runs. False: only originals. Default: false, unless `scenarioRunId` is set.',
  })
  hasScenarioRun?: boolean | null;

  @Field(() => [Int], { nullable: true, description: 'Only scenarios in one of at most 100 categories, by id.' })
  categoryIds?: number[] | null;
}

@ObjectType({ description: 'One page of scenarios.' })
export class ScenarioPage extends pageOf(Scenario) {}

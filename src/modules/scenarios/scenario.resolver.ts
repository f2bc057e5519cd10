import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import { Message } from '../messages/message.js';
import { MESSAGES } from '../messages/message-reads.js';
import type { ProjectAccess } from '../projects/access.js';
import { linkedIds, linkedParts } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { projectOf, roleLoader } from '../projects/project-loaders.js';
import { mayDo } from '../projects/rights.js';
import { Prompt } from '../prompts/prompt.js';
import { Variable } from '../variables/variable.js';
import { ScenarioCreateInput, ScenarioFilter, ScenarioPage, ScenarioUpdateInput } from './scenario.inputs.js';
import { Scenario } from './scenario.js';
import type { ScenarioService } from './scenario.service.js';
import { promptsOfScenario, variablesOfScenario } from './scenario-contents.js';
import { MESSAGES_OF_SCENARIO } from './scenario-links.js';

const ID = { description: 'The scenario.' };

@Resolver(() => Scenario)
export class ScenarioResolver {
  constructor(
    private readonly scenarios: ScenarioService,
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly payloads: ListPayloads<Pick<Scenario, 'readmeGuide'>>,
  ) {}

  @Query(() => ScenarioPage, {
    name: 'scenarios',
    description: 'The scenarios of the caller’s projects, by project and position. Copies of runs are left out.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => ScenarioFilter, { nullable: true, description: 'Which scenarios.' })
    filter: ScenarioFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.scenarios.list(viewer, filter, page);
  }

  @Query(() => Scenario, { name: 'scenario', description: 'One scenario. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.scenarios.get(viewer, id);
  }

  @Mutation(() => Scenario, {
    name: 'scenarioCreate',
    description: 'Creates a scenario, last in its project. Needs the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ScenarioCreateInput, { description: 'The new scenario.' }) input: ScenarioCreateInput,
  ) {
    return this.scenarios.create(viewer, input);
  }

  @Mutation(() => Scenario, { name: 'scenarioUpdate', description: 'Changes a scenario. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioUpdateInput, { description: 'What changes.' }) input: ScenarioUpdateInput,
  ) {
    return this.scenarios.update(viewer, id, input);
  }

  @Mutation(() => Scenario, {
    name: 'scenarioDelete',
    description: 'Deletes a scenario; its messages stay. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.scenarios.delete(viewer, id);
  }

  @Mutation(() => Scenario, {
    name: 'scenarioReorder',
    description: 'Moves a scenario; the others shift. Needs the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, { description: 'Target position from 1; outside 1…n it is clamped.' }) sortId: number,
  ) {
    return this.scenarios.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return projectOf(context, this.database, scenario.projectId);
  }

  @FieldResolver(() => Int, { description: 'The owning project’s id.' })
  projectId(@Root() scenario: Scenario) {
    return scenario.projectId;
  }

  @FieldResolver(() => Category, { description: 'The category.' })
  category(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return categoryOf(context, this.database, scenario.categoryId);
  }

  @FieldResolver(() => Int, { description: 'The category’s id.' })
  categoryId(@Root() scenario: Scenario) {
    return scenario.categoryId;
  }

  @FieldResolver(() => Subcategory, { nullable: true, description: 'The subcategory.' })
  subcategory(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return subcategoryOf(context, this.database, scenario.subcategoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The subcategory’s id.' })
  subcategoryId(@Root() scenario: Scenario) {
    return scenario.subcategoryId;
  }

  @FieldResolver(() => [Message], { description: 'Its messages by position, at most 200: they run in this order.' })
  messages(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return linkedParts(context, this.database, MESSAGES_OF_SCENARIO, MESSAGES).load(scenario.id);
  }

  @FieldResolver(() => [Int], { description: 'The ids of its messages by position; at most 200.' })
  messageIds(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return linkedIds(context, this.database, MESSAGES_OF_SCENARIO).load(scenario.id);
  }

  @FieldResolver(() => [Prompt], {
    description: 'The prompts that its messages send, each once, by position; at most 100 for each of 200 messages.',
  })
  prompts(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return promptsOfScenario(context, this.database).load(scenario.id);
  }

  @FieldResolver(() => [Variable], {
    description:
      'The variables that its texts, conditions and loops name, and the global ones of its project; no more than that has.',
  })
  variables(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return variablesOfScenario(context, this.database).load(scenario.id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may edit the scenario (role editor and up).' })
  async canEdit(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    const role = scenario.viewersRole ?? (await roleLoader(context, this.access).load(scenario.projectId));
    return role !== null && mayDo(role, 'scenario.update');
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return !(await this.payloads.isWhole(context, scenario));
  }

  @FieldResolver(() => String, {
    description: 'A guide for users, in Markdown. At most 100,000 characters. Empty where it is shortened.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return (await this.payloads.of(context, scenario))?.readmeGuide ?? '';
  }
}

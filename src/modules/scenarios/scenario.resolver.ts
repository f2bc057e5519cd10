import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { selectedFields } from '../../platform/graphql/selected-fields.js';
import type { ListPayloads } from '../../platform/lists/list-payloads.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Category } from '../categories/category.js';
import { categoryOf, subcategoryOf } from '../categories/category-loaders.js';
import { Subcategory } from '../categories/subcategory.js';
import { Message } from '../messages/message.js';
import { MESSAGE_READS } from '../messages/message-reads.js';
import type { ProjectAccess } from '../projects/access.js';
import { linkedIds, linkedParts } from '../projects/parts/part-loaders.js';
import { Project } from '../projects/project.js';
import { projectOf, roleLoader } from '../projects/project-loaders.js';
import { isAllowed } from '../projects/rights.js';
import { Prompt } from '../prompts/prompt.js';
import { Variable } from '../variables/variable.js';
import { ScenarioCreateInput, ScenarioFilter, ScenarioPage, ScenarioUpdateInput } from './scenario.inputs.js';
import { Scenario } from './scenario.js';
import type { ScenarioService } from './scenario.service.js';
import { scenarioPromptLoader, scenarioVariableLoader } from './scenario-contents.js';
import { MESSAGES_OF_SCENARIO } from './scenario-links.js';

const ID = { description: 'Id of the scenario.' };

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
    description:
      'The scenarios of the caller’s projects, ordered by project and position. By default, excludes the copies that scenario runs make.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => ScenarioFilter, {
      nullable: true,
      description: 'Conditions for the list. Default: all scenarios except copies of scenario runs.',
    })
    filter: ScenarioFilter | null,
    @Args(() => PageArguments) page: PageArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.scenarios.list(viewer, filter, page, selectedFields(info));
  }

  @Query(() => Scenario, {
    name: 'scenario',
    description: 'One scenario. Fails with NOT_FOUND if it does not exist or the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.scenarios.get(viewer, id);
  }

  @PayloadMutation({
    returns: { scenario: () => Scenario },
    name: 'scenarioCreate',
    description: 'Creates a scenario at the last position of its project. Requires the role editor.',
  })
  create(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => ScenarioCreateInput, { description: 'The new scenario.' }) input: ScenarioCreateInput,
  ) {
    return this.scenarios.create(viewer, input);
  }

  @PayloadMutation({
    returns: { scenario: () => Scenario },
    name: 'scenarioUpdate',
    description: 'Changes a scenario. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ScenarioUpdateInput, { description: 'The changes.' }) input: ScenarioUpdateInput,
  ) {
    return this.scenarios.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { scenario: () => Scenario },
    name: 'scenarioDelete',
    description: 'Deletes a scenario and returns it. Its messages and runs stay. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.scenarios.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { scenario: () => Scenario },
    name: 'scenarioReorder',
    description: 'Moves a scenario to another position and shifts the scenarios in between. Requires the role editor.',
  })
  reorder(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('sortId', () => Int, {
      description: 'Target position, from 1. A value outside 1 to the number of scenarios is clamped.',
    })
    sortId: number,
  ) {
    return this.scenarios.reorder(viewer, id, sortId);
  }

  @FieldResolver(() => Project, { description: 'The project that owns the scenario.' })
  project(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return projectOf(context, this.database, scenario.projectId);
  }

  @FieldResolver(() => Int, { description: 'Id of the project that owns the scenario.' })
  projectId(@Root() scenario: Scenario) {
    return scenario.projectId;
  }

  @FieldResolver(() => Category, { description: 'The category of the scenario.' })
  category(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return categoryOf(context, this.database, scenario.categoryId);
  }

  @FieldResolver(() => Int, { description: 'Id of the category.' })
  categoryId(@Root() scenario: Scenario) {
    return scenario.categoryId;
  }

  @FieldResolver(() => Subcategory, {
    nullable: true,
    description: 'The subcategory of the scenario; null if there is none.',
  })
  subcategory(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return subcategoryOf(context, this.database, scenario.subcategoryId);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Id of the subcategory; null if there is none.' })
  subcategoryId(@Root() scenario: Scenario) {
    return scenario.subcategoryId;
  }

  @FieldResolver(() => [Message], {
    description: 'The messages of the scenario, at most 200, in the order in which they are sent: by position.',
  })
  messages(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return linkedParts(context, this.database, MESSAGES_OF_SCENARIO, MESSAGE_READS).load(scenario.id);
  }

  @FieldResolver(() => [Int], {
    description: 'The ids of the messages of the scenario, at most 200, ordered by position.',
  })
  messageIds(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return linkedIds(context, this.database, MESSAGES_OF_SCENARIO).load(scenario.id);
  }

  @FieldResolver(() => [Prompt], {
    description:
      'The prompts that the messages of the scenario send: each prompt once, ordered by position. At most 100 for each of 200 messages.',
  })
  prompts(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return scenarioPromptLoader(context, this.database).load(scenario.id);
  }

  @FieldResolver(() => [Variable], {
    description:
      'The variables that prompts, conditions and loops of the scenario refer to, and the global variables of its project, ordered by position. Each variable of the project occurs at most once.',
  })
  variables(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return scenarioVariableLoader(context, this.database).load(scenario.id);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may edit the scenario: true for the role editor and stronger roles.',
  })
  async canEdit(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    const role = scenario.viewersRole ?? (await roleLoader(context, this.access).load(scenario.projectId));
    return role !== null && isAllowed(role, 'scenario.update');
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list omitted `readmeGuide` because the preceding items filled the size limit of the page. Query the scenario by id to get it.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return !(await this.payloads.isWhole(context, scenario));
  }

  @FieldResolver(() => String, {
    description: 'Guide for users in Markdown, at most 100,000 characters. Empty if `isShortened`.',
  })
  async readmeGuide(@Ctx() context: RequestContext, @Root() scenario: Scenario) {
    return (await this.payloads.of(context, scenario))?.readmeGuide ?? '';
  }
}

import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { ApiDefinitionImportInput, ApiDefinitionUpdateInput } from './api-definition.inputs.js';
import type { ApiDefinitionService } from './api-definition.service.js';
import { ApiDefinition, ApiDefinitionPage, ApiOperationPage } from './api-definition.type.js';
import type { ApiDefinitionImporter } from './api-definition-importer.js';

const ID = { description: 'The id of the definition: `ApiDefinition.id`.' };

@Resolver(() => ApiDefinition)
export class ApiDefinitionResolver {
  constructor(
    private readonly definitions: ApiDefinitionService,
    private readonly importer: ApiDefinitionImporter,
  ) {}

  @Query(() => ApiDefinitionPage, {
    description: 'The imported OpenAPI documents of a project by name, at most 50. Requires the role viewer.',
  })
  apiDefinitions(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.definitions.list(viewer, projectId, page);
  }

  @Query(() => ApiDefinition, {
    name: 'apiDefinition',
    description: 'An imported OpenAPI document. Requires the role viewer in its project.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.definitions.get(viewer, id);
  }

  @Query(() => ApiOperationPage, {
    description:
      'The operations of an imported OpenAPI document in its order, at most 1,000. Requires the role viewer in its project.',
  })
  apiOperations(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('contains', () => String, {
      nullable: true,
      description:
        'Only operations whose name, path or summary contains this text, without regard to case, at most 200 characters. Default: all.',
    })
    contains: string | null | undefined,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.definitions.operations(viewer, id, contains, page);
  }

  @PayloadMutation({
    returns: { apiDefinition: () => ApiDefinition },
    name: 'apiDefinitionImport',
    description:
      'Imports an OpenAPI document as a set of operations. Nodes and tools that were filled from an earlier import stay as they are. CONFLICT when the project has 50 definitions. Requires the role editor.',
  })
  import(
    @Ctx() { viewer, signal }: RequestContext,
    @Arg('input', () => ApiDefinitionImportInput, { description: 'The document.' }) input: ApiDefinitionImportInput,
  ) {
    return this.importer.import(viewer, input, toAbortSignal(signal));
  }

  @PayloadMutation({
    returns: { apiDefinition: () => ApiDefinition },
    name: 'apiDefinitionUpdate',
    description:
      'Changes the name, address or connection of an imported OpenAPI document. CONFLICT when the name exists. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, ID) id: number,
    @Arg('input', () => ApiDefinitionUpdateInput, { description: 'The changes.' }) input: ApiDefinitionUpdateInput,
  ) {
    return this.definitions.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { apiDefinition: () => ApiDefinition },
    name: 'apiDefinitionDelete',
    description:
      'Deletes an imported OpenAPI document with its operations and returns its last state. Nodes and tools that were filled from it keep working. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.definitions.delete(viewer, id);
  }
}

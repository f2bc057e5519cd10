import DataLoader from 'dataloader';
import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { ProviderKeyInput } from './provider-key.inputs.js';
import type { ProviderKeyService } from './provider-key.service.js';
import { ProviderKey, ProviderKeyTest } from './provider-key.type.js';

const ID = { description: 'The key: `ProviderKey.id`.' };

@Resolver(() => Project)
export class ProviderKeyResolver {
  constructor(private readonly keys: ProviderKeyService) {}

  @Mutation(() => ProviderKey, {
    name: 'providerKeyAttach',
    description:
      'Attaches a provider’s key to a project. It is stored encrypted and goes before the service’s own in every call for the project; of several keys for one provider the newest is used. CONFLICT beyond 20 keys. Needs the role admin.',
  })
  attach(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('input', () => ProviderKeyInput, { description: 'The key.' }) input: ProviderKeyInput,
  ) {
    return this.keys.attach(viewer, projectId, input);
  }

  @Mutation(() => ProviderKeyTest, {
    name: 'providerKeyTest',
    description: 'Asks the provider for its models with the key, within 10 seconds. Needs the role admin.',
  })
  test(@Ctx() { viewer, signal }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.test(viewer, id, toAbortSignal(signal));
  }

  @Mutation(() => ProviderKey, {
    name: 'providerKeyDetach',
    description: 'Detaches a provider’s key from its project and answers what it was. Needs the role admin.',
  })
  detach(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.detach(viewer, id);
  }

  @FieldResolver(() => [ProviderKey], {
    description:
      'Provider keys attached to the project, the newest first, at most 20. Keys themselves are never returned.',
  })
  attachedProviderKeys(@Ctx() context: RequestContext, @Root() project: Project) {
    if (project.hasProviderKeys === false) return [];
    const load = () => new DataLoader((ids: readonly number[]) => this.keys.ofProjects(ids));
    return context.loader('project.provider-keys', load).load(project.id);
  }
}

import DataLoader from 'dataloader';
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { toAbortSignal } from '../../platform/async/abort-signal.js';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { ProviderKeyInput } from './provider-key.inputs.js';
import type { ProviderKeyService } from './provider-key.service.js';
import { ProviderKey, ProviderKeyTest } from './provider-key.type.js';

const ID = { description: 'The id of the key: `ProviderKey.id`.' };

@Resolver(() => Project)
export class ProviderKeyResolver {
  constructor(private readonly keys: ProviderKeyService) {}

  @PayloadMutation({
    returns: { providerKey: () => ProviderKey },
    name: 'providerKeyAttach',
    description:
      'Attaches a provider key to a project. The key is stored encrypted. Calls of the project use it instead of the key of the service. If a project has several keys for one provider, the newest is used. CONFLICT when the project has 20 keys. Requires the role admin.',
  })
  attach(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Arg('input', () => ProviderKeyInput, { description: 'The new key.' }) input: ProviderKeyInput,
  ) {
    return this.keys.attach(viewer, projectId, input);
  }

  @PayloadMutation({
    returns: { providerKeyTest: () => ProviderKeyTest },
    name: 'providerKeyTest',
    description: 'Tests a key by listing the models of its provider, within 10 seconds. Requires the role admin.',
  })
  test(@Ctx() { viewer, signal }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.test(viewer, id, toAbortSignal(signal));
  }

  @PayloadMutation({
    returns: { providerKey: () => ProviderKey },
    name: 'providerKeyDetach',
    description:
      'Deletes a provider key from its project and returns its last state, without the key itself. Requires the role admin.',
  })
  detach(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.keys.detach(viewer, id);
  }

  @FieldResolver(() => [ProviderKey], {
    description: 'The provider keys of the project, newest first, at most 20. The keys themselves are never returned.',
  })
  attachedProviderKeys(@Ctx() context: RequestContext, @Root() project: Project) {
    if (project.hasProviderKeys === false) return [];
    const load = () => new DataLoader((ids: readonly number[]) => this.keys.listByProject(ids));
    return context.loader('project.provider-keys', load).load(project.id);
  }
}

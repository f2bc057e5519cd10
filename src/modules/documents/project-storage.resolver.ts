import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import type { ProjectService } from '../projects/project.service.js';
import type { ProjectStorage } from './project-storage.js';
import { ProjectStorageUse } from './project-storage.type.js';

@Resolver(() => Project)
export class ProjectStorageResolver {
  constructor(
    private readonly storage: ProjectStorage,
    private readonly projects: Pick<ProjectService, 'get'>,
  ) {}

  @Query(() => ProjectStorageUse, {
    name: 'projectStorage',
    description: 'Returns the storage use and limit of a project. NOT_FOUND when the caller cannot access the project.',
  })
  async get(
    @Ctx() context: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
  ) {
    const { id } = await this.projects.get(context.viewer, projectId);
    return this.storage.of(context, id);
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectStorageLimitSet',
    description:
      'Sets the storage limit of a project. Existing files stay; above the limit uploads are rejected. Requires an administrator.',
  })
  async set(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('limitMb', () => Int, {
      nullable: true,
      description: 'Limit in MiB, 0-1000000000. 0: unlimited. Null: the default, PROJECT_STORAGE_MB.',
    })
    limitMb: number | null | undefined,
  ) {
    return this.projects.get(viewer, await this.storage.setLimit(viewer, projectId, limitMb ?? null));
  }

  @FieldResolver(() => ProjectStorageUse, { name: 'storage', description: 'Storage use and limit of the project.' })
  storageOf(@Ctx() context: RequestContext, @Root() { id }: Project) {
    return this.storage.of(context, id);
  }
}

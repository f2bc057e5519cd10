import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
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
    description: 'What the stored files of a project occupy, and may. NOT_FOUND when it is not the caller’s.',
  })
  async get(
    @Ctx() context: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
  ) {
    const { id } = await this.projects.get(context.viewer, projectId);
    return this.storage.of(context, id);
  }

  @Mutation(() => Project, {
    name: 'projectStorageLimitSet',
    description:
      'Sets what the stored files of a project may occupy. Files that are there stay; past the limit uploads are refused. For administrators.',
  })
  async set(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('limitMb', () => Int, {
      nullable: true,
      description: 'MiB, 0-1000000000; 0: unlimited. Null brings back the default, PROJECT_STORAGE_MB.',
    })
    limitMb: number | null | undefined,
  ) {
    return this.projects.get(viewer, await this.storage.setLimit(viewer, projectId, limitMb ?? null));
  }

  @FieldResolver(() => ProjectStorageUse, { name: 'storage', description: 'What its stored files occupy, and may.' })
  storageOf(@Ctx() context: RequestContext, @Root() { id }: Project) {
    return this.storage.of(context, id);
  }
}

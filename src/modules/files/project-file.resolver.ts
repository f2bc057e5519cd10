import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { UUID } from '../../platform/json/scalars.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Document } from '../documents/document.js';
import type { FileLinks } from '../documents/file-links.js';
import { Upload, type UploadedFile } from '../documents/upload.scalar.js';
import type { ProjectFileService } from './project-file.service.js';
import { ProjectFile, ProjectFilePage } from './project-file.type.js';

const FILE_ID = { description: 'The id of the file: `ProjectFile.id`.' };

@Resolver(() => ProjectFile)
export class ProjectFileResolver {
  constructor(
    private readonly files: ProjectFileService,
    private readonly links: FileLinks,
  ) {}

  @Query(() => ProjectFilePage, {
    name: 'projectFiles',
    description: 'Lists the files of a project, newest first.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Arg('runId', () => UUID, {
      nullable: true,
      description: 'The id of a workflow run: only files that it was the last to use. Default: all files.',
    })
    runId: string | null | undefined,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.files.list(viewer, projectId, runId, page);
  }

  @Query(() => ProjectFile, {
    name: 'projectFile',
    description: 'Returns one file. NOT_FOUND when the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, FILE_ID) id: string) {
    return this.files.get(viewer, id);
  }

  @PayloadMutation({
    returns: { projectFile: () => ProjectFile },
    name: 'projectFileUpload',
    description:
      'Uploads a file for the input of runs. It is deleted after 24 hours unless a run uses it. Requires the role editor.',
  })
  upload(
    @Ctx() { viewer, reservedId }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Arg('file', () => Upload, { description: 'The file.' }) file: UploadedFile,
  ) {
    return this.files.upload(viewer, projectId, file, reservedId);
  }

  @PayloadMutation({
    returns: { projectFile: () => ProjectFile },
    name: 'projectFileDelete',
    description:
      'Deletes a file and returns it. Results of runs keep the reference, which then leads to no file. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, FILE_ID) id: string) {
    return this.files.delete(viewer, id);
  }

  @PayloadMutation({
    returns: { document: () => Document },
    name: 'projectFileToDocument',
    description:
      'Creates a document of the project with a copy of the file, for recognition and search. Requires the role editor.',
  })
  toDocument(@Ctx() { viewer, reservedId }: RequestContext, @Arg('id', () => UUID, FILE_ID) id: string) {
    return this.files.toDocument(viewer, id, reservedId);
  }

  @FieldResolver(() => String, {
    description:
      'Link to the content. It needs no credentials, expires after one hour and then returns HTTP 410. Each query returns a new link.',
  })
  url(@Ctx() { origin }: RequestContext, @Root() { resultFile }: ProjectFile): string {
    return `${origin}${this.links.pathTo(resultFile)}`;
  }
}

import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import { DocumentFilter, DocumentOrder, DocumentPage, DocumentUpdateInput } from './document.inputs.js';
import { Document } from './document.js';
import type { DocumentService } from './document.service.js';
import type { FileLinks } from './file-links.js';
import { Upload, type UploadedFile } from './upload.scalar.js';

@Resolver(() => Document)
export class DocumentResolver {
  constructor(
    private readonly documents: DocumentService,
    private readonly links: FileLinks,
  ) {}

  @Query(() => DocumentPage, {
    name: 'documents',
    description: 'The documents of the caller’s projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => DocumentFilter, { nullable: true, description: 'Which documents.' })
    filter: DocumentFilter | null,
    @Arg('order', () => DocumentOrder, {
      defaultValue: DocumentOrder.CREATED_AT_DESC,
      description: 'Default: newest first.',
    })
    order: DocumentOrder,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.documents.list(viewer, filter, order, page);
  }

  @Query(() => Document, { name: 'document', description: 'One document. NOT_FOUND when it is not the caller’s.' })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The document.' }) id: number) {
    return this.documents.get(viewer, id);
  }

  @Mutation(() => [Document], {
    name: 'documentUpload',
    description:
      'Uploads 1-5 files, all of them or none, and answers a document for each in their order. Needs the role editor.',
  })
  upload(
    @Ctx() { viewer, reservedId }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project they belong to.' }) projectId: number,
    @Arg('files', () => [Upload], { description: '1-5 files.' }) files: UploadedFile[],
  ) {
    return this.documents.upload(viewer, projectId, files, reservedId);
  }

  @Mutation(() => Document, { name: 'documentUpdate', description: 'Changes a document. Needs the role editor.' })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The document.' }) id: number,
    @Arg('input', () => DocumentUpdateInput, { description: 'What changes.' }) input: DocumentUpdateInput,
  ) {
    return this.documents.update(viewer, id, input);
  }

  @Mutation(() => Document, {
    name: 'documentDelete',
    description:
      'Deletes a document with its recognition runs and its file, and answers what it was. Needs the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'The document.' }) id: number) {
    return this.documents.delete(viewer, id);
  }

  @FieldResolver(() => String, {
    description:
      'Where the file can be fetched without a key, for one hour; after that 410. Asked for again, a new link.',
  })
  resultUrl(@Ctx() { origin }: RequestContext, @Root() { resultFile }: Document): string {
    return `${origin}${this.links.pathTo(resultFile)}`;
  }
}

import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
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
    description: 'Lists the documents of the caller’s projects.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('filter', () => DocumentFilter, { nullable: true, description: 'Default: all documents.' })
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

  @Query(() => Document, {
    name: 'document',
    description: 'Returns one document. NOT_FOUND when the caller cannot access it.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the document.' }) id: number) {
    return this.documents.get(viewer, id);
  }

  @PayloadMutation({
    returns: { documents: () => [Document] },
    result:
      'The documents, at most 5, in the order of the files. Null when the mutation was refused: `errors` says why.',
    name: 'documentUpload',
    description:
      'Uploads 1-5 files and returns one document per file, in the same order. Stores either all files or none. Requires the role editor.',
  })
  upload(
    @Ctx() { viewer, reservedId }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('files', () => [Upload], { description: '1-5 files.' }) files: UploadedFile[],
  ) {
    return this.documents.upload(viewer, projectId, files, reservedId);
  }

  @PayloadMutation({
    returns: { document: () => Document },
    name: 'documentUpdate',
    description: 'Updates a document. Requires the role editor.',
  })
  update(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'Id of the document.' }) id: number,
    @Arg('input', () => DocumentUpdateInput, { description: 'The changes.' }) input: DocumentUpdateInput,
  ) {
    return this.documents.update(viewer, id, input);
  }

  @PayloadMutation({
    returns: { document: () => Document },
    name: 'documentDelete',
    description:
      'Deletes a document, its file and its recognition runs, and returns the deleted document. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, { description: 'Id of the document.' }) id: number) {
    return this.documents.delete(viewer, id);
  }

  @FieldResolver(() => String, {
    description:
      'Link to the file. It needs no credentials, expires after one hour and then returns HTTP 410. Each query returns a new link.',
  })
  resultUrl(@Ctx() { origin }: RequestContext, @Root() { resultFile }: Document): string {
    return `${origin}${this.links.pathTo(resultFile)}`;
  }
}

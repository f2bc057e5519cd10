import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database } from '../../platform/database/database.js';
import { type NestedList, nestedPage } from '../../platform/lists/nested-page.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { rowOf } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { DOCUMENT_COLUMNS, Document } from '../documents/document.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { RecognitionChunkPage, RecognitionRunPage } from './recognition.inputs.js';
import { CHUNK_COLUMNS, RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun, RUN_COLUMNS } from './recognition-run.js';

const OF_PROJECT: NestedList<RecognitionRun> = {
  name: 'project.recognitionRuns',
  parent: 'int',
  columns: RUN_COLUMNS,
  from: 'recognition_run r where r.project_id = parent.id',
  order: 'r.created_at desc, r.id desc',
};

const OF_DOCUMENT: NestedList<RecognitionRun> = {
  ...OF_PROJECT,
  name: 'document.recognitionRuns',
  from: 'recognition_run r where r.document_id = parent.id',
};

const CHUNKS: NestedList<RecognitionChunk> = {
  name: 'recognitionRun.chunks',
  parent: 'int',
  columns: CHUNK_COLUMNS,
  from: 'recognition_chunk c where c.run_id = parent.id',
  order: 'c.index',
};

@Resolver(() => Project)
export class ProjectRecognitionsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRunPage, { description: 'The recognition runs of its documents, newest first.' })
  recognitionRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedPage(context, this.database, OF_PROJECT, project.id, page);
  }
}

@Resolver(() => Document)
export class DocumentRecognitionsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRunPage, { description: 'The recognition runs that read it, newest first.' })
  recognitionRuns(
    @Ctx() context: RequestContext,
    @Root() document: Document,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedPage(context, this.database, OF_DOCUMENT, document.id, page);
  }
}

@Resolver(() => RecognitionRun)
export class RecognitionRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() run: RecognitionRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => Document, { nullable: true, description: 'The document; null once it is deleted.' })
  document(@Ctx() context: RequestContext, @Root() run: RecognitionRun) {
    const read = `select ${DOCUMENT_COLUMNS} from document d where d.id = any($1::int[])`;
    return rowOf<Document>(context, this.database, { name: 'document', read }, run.documentId);
  }

  @FieldResolver(() => RecognitionChunkPage, { description: 'Its chunks, in the order of the text.' })
  chunks(@Ctx() context: RequestContext, @Root() run: RecognitionRun, @Args(() => PageArguments) page: PageArguments) {
    return nestedPage(context, this.database, CHUNKS, run.id, page);
  }
}

@Resolver(() => RecognitionChunk)
export class ChunkRunResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRun, {
    nullable: true,
    description: 'The run that made it; null once it is deleted.',
  })
  recognitionRun(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk) {
    const read = `select ${RUN_COLUMNS} from recognition_run r where r.id = any($1::int[])`;
    return rowOf<RecognitionRun>(context, this.database, { name: 'recognitionRun', read }, chunk.recognitionRunId);
  }
}

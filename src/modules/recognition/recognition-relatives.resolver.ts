import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import { loadRow } from '../../platform/sql/row-loader.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Document } from '../documents/document.js';
import { readDocuments } from '../documents/locate-document.js';
import { Project } from '../projects/project.js';
import { projectOf } from '../projects/project-loaders.js';
import { readRecognitionRuns } from './locate-recognition.js';
import { RecognitionChunkPage, RecognitionRunPage } from './recognition.inputs.js';
import { RecognitionChunk } from './recognition-chunk.js';
import { RecognitionRun } from './recognition-run.js';
import { chunkColumns, type RecognitionTables, recognitionRunColumns } from './recognition-tables.js';

const OF_PROJECT: NestedRows<number, RecognitionRun> = {
  name: 'project.recognitionRuns',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestFirst(sql).where('project_id', '=', parent),
};

const OF_DOCUMENT: NestedRows<number, RecognitionRun> = {
  name: 'document.recognitionRuns',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) => selectNewestFirst(sql).where('document_id', '=', parent),
};

const CHUNKS: NestedRows<number, RecognitionChunk> = {
  name: 'recognitionRun.chunks',
  parent: 'int',
  isPrepared: true,
  rows: (sql, parent) =>
    queryBuilder<RecognitionTables>(sql)
      .selectFrom('recognition_chunk')
      .select(chunkColumns)
      .where('run_id', '=', parent)
      .orderBy('recognition_chunk.index'),
};

function selectNewestFirst(sql: Sql) {
  return queryBuilder<RecognitionTables>(sql)
    .selectFrom('recognition_run')
    .select(recognitionRunColumns)
    .orderBy('recognition_run.created_at', 'desc')
    .orderBy('recognition_run.id', 'desc');
}

@Resolver(() => Project)
export class ProjectRecognitionsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRunPage, {
    description: 'Recognition runs of the project’s documents, newest first.',
  })
  recognitionRuns(
    @Ctx() context: RequestContext,
    @Root() project: Project,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedRows(context, this.database, OF_PROJECT, project.id, page);
  }
}

@Resolver(() => Document)
export class DocumentRecognitionsResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRunPage, { description: 'Recognition runs of the document, newest first.' })
  recognitionRuns(
    @Ctx() context: RequestContext,
    @Root() document: Document,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return nestedRows(context, this.database, OF_DOCUMENT, document.id, page);
  }
}

@Resolver(() => RecognitionRun)
export class RecognitionRelativesResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => Project, { description: 'The owning project.' })
  project(@Ctx() context: RequestContext, @Root() run: RecognitionRun) {
    return projectOf(context, this.database, run.projectId);
  }

  @FieldResolver(() => Document, { nullable: true, description: 'The document; null when it is deleted.' })
  document(@Ctx() context: RequestContext, @Root() run: RecognitionRun) {
    const read = (ids: readonly number[]) => readDocuments(this.database, ids);
    return loadRow<Document>(context, { name: 'document', read }, run.documentId);
  }

  @FieldResolver(() => RecognitionChunkPage, { description: 'Chunks of the run, in the order of the text.' })
  chunks(@Ctx() context: RequestContext, @Root() run: RecognitionRun, @Args(() => PageArguments) page: PageArguments) {
    return nestedRows(context, this.database, CHUNKS, run.id, page);
  }
}

@Resolver(() => RecognitionChunk)
export class ChunkRunResolver {
  constructor(private readonly database: Database) {}

  @FieldResolver(() => RecognitionRun, {
    nullable: true,
    description: 'The recognition run; null when it is deleted.',
  })
  recognitionRun(@Ctx() context: RequestContext, @Root() chunk: RecognitionChunk) {
    const read = (ids: readonly number[]) => readRecognitionRuns(this.database, ids);
    return loadRow<RecognitionRun>(context, { name: 'recognitionRun', read }, chunk.recognitionRunId);
  }
}

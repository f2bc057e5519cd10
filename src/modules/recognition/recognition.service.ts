import type { Queue } from '../../durable/queue.js';
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from '../../engine/text/chunk.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { type Expression, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import { ConflictError, InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Connection, type ConnectionArgs, type Keyset, readConnection } from '../../platform/lists/connection.js';
import { readWindow } from '../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { timeWithin } from '../../platform/lists/time-filter.input.js';
import { whereAnyOf } from '../../platform/sql/any-of.js';
import { Totals } from '../../platform/sql/totals.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateDocument } from '../documents/locate-document.js';
import { isVisible, type ProjectAccess } from '../projects/access.js';
import { notFoundToInputError } from '../projects/parts/not-found-to-input-error.js';
import { DOES_NOT_EXIST } from '../projects/parts/part-scope.js';
import { jobIdOf, RECOGNITION_QUEUE } from './execution/recognition-claims.js';
import { locateChunk, locateRun } from './locate-recognition.js';
import type { RecognitionRunCreateInput, RecognitionRunFilter } from './recognition.inputs.js';
import type { RecognitionChunk } from './recognition-chunk.js';
import { hasEnded, type RecognitionRun, RecognitionStatus } from './recognition-run.js';
import { chunkColumns, type RecognitionTables, recognitionRunColumns } from './recognition-tables.js';

const DEFAULT_CHUNK_TOKENS = 500;
const IN_TEXT_ORDER: Keyset = {
  name: 'recognitionChunks',
  columns: [{ ref: 'recognition_chunk.index', type: 'int' }],
  order: 'asc',
};

/** Lists, starts and edits recognition runs. Every method authorizes the viewer. */
export class RecognitionService {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly queue: Queue,
  ) {}

  /** The recognition runs of the viewer's projects, newest first. */
  async list(
    viewer: Viewer,
    filter: RecognitionRunFilter | null | undefined,
    page: PageArgs,
  ): Promise<Page<RecognitionRun>> {
    const { limit, offset } = toLimitOffset(page);
    const { projectId = null, documentId = null } = filter ?? {};
    if (documentId !== null)
      await notFoundToInputError('documentId', locateDocument(this.database, viewer, documentId, 'project.read'));
    let runs = queryBuilder<RecognitionTables>(this.database)
      .selectFrom('recognition_run')
      .select(recognitionRunColumns)
      .where(isVisible(viewer, 'recognition_run.project_id'))
      .orderBy('recognition_run.created_at', 'desc')
      .orderBy('recognition_run.id', 'desc');
    if (projectId !== null) runs = runs.where('project_id', '=', projectId);
    if (documentId !== null) runs = runs.where('document_id', '=', documentId);
    runs = runs.where(({ and }) => and(timeWithin(filter ?? {}, 'recognition_run.created_at')));
    runs = whereAnyOf(runs, 'state', 'statuses', filter?.statuses);
    return { ...page, ...(await readWindow(runs, { limit, offset })) };
  }

  get(viewer: Viewer, id: number): Promise<RecognitionRun> {
    return locateRun(this.database, viewer, id, 'project.read');
  }

  /** Creates the run and enqueues its job in one transaction. */
  async create(
    viewer: Viewer,
    { projectId, documentId, chunkSize }: RecognitionRunCreateInput,
  ): Promise<RecognitionRun> {
    await this.access.authorizeNamed(viewer, projectId, 'recognition.run');
    const faults = new Faults();
    faults.integer('chunkSize', chunkSize, { min: MIN_CHUNK_TOKENS, max: MAX_CHUNK_TOKENS });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      const run = await queryBuilder<RecognitionTables>(sql)
        .insertInto('recognition_run')
        .columns(['project_id', 'document_id', 'created_by_id', 'chunk_size', 'turn'])
        .expression(from =>
          from
            .selectFrom('document')
            .select(({ ref, val }) => [
              ...(['document.project_id', 'document.id'] as const),
              val(viewer.userId).as('created_by_id'),
              val(chunkSize ?? DEFAULT_CHUNK_TOKENS).as('chunk_size'),
              nextTurn(sql, ref('document.project_id')).as('turn'),
            ])
            .where('document.id', '=', documentId)
            .where('document.project_id', '=', projectId)
            // The lock excludes a document that is being deleted.
            .forKeyShare(),
        )
        .returning(recognitionRunColumns)
        .returning('turn')
        .executeTakeFirst();
      if (!run) throw new InvalidInputError({ documentId: [DOES_NOT_EXIST] });
      await this.queue.accept(RECOGNITION_QUEUE, [{ id: jobIdOf(run.id), projectId, runsAhead: run.turn }], sql);
      return run;
    });
  }

  /** Starts a new run with the document and chunk size of a failed run. Returns its id. */
  async redrive(viewer: Viewer, id: number): Promise<number> {
    const { projectId, documentId, chunkSize } = await this.get(viewer, id);
    return (await this.create(viewer, { projectId, documentId, chunkSize })).id;
  }

  /** The chunks of a run, in the order of the text. */
  async chunks(
    viewer: Viewer,
    runId: number,
    isEnabled: boolean | null,
    page: PageArgs,
  ): Promise<Page<RecognitionChunk>> {
    const { limit, offset } = toLimitOffset(page);
    const chunks = await this.#chunks(viewer, runId, isEnabled);
    return { ...page, ...(await readWindow(chunks.orderBy('recognition_chunk.index'), { limit, offset })) };
  }

  /** The chunks of a run, in the order of the text, selected by cursors. */
  async chunkConnection(
    viewer: Viewer,
    runId: number,
    isEnabled: boolean | null,
    args: ConnectionArgs,
  ): Promise<Connection<RecognitionChunk>> {
    const rows = await this.#chunks(viewer, runId, isEnabled);
    return readConnection({ rows, keyset: IN_TEXT_ORDER, totals: this.#totals, itemOf: row => row }, args);
  }

  chunk(viewer: Viewer, id: number): Promise<RecognitionChunk> {
    return locateChunk(this.database, viewer, id, 'project.read');
  }

  async setAllEnabled(viewer: Viewer, runId: number, isEnabled: boolean): Promise<RecognitionRun> {
    await this.#assertEnded(viewer, runId);
    await queryBuilder<RecognitionTables>(this.database)
      .updateTable('recognition_chunk')
      .set({ is_enabled: isEnabled })
      .where('run_id', '=', runId)
      .where('is_enabled', '<>', isEnabled)
      .execute();
    return this.get(viewer, runId);
  }

  /** A chunk of another run is treated as not existing. */
  async setEnabled(viewer: Viewer, runId: number, chunkId: number, isEnabled: boolean): Promise<RecognitionChunk> {
    await this.#assertEnded(viewer, runId);
    const chunk = await queryBuilder<RecognitionTables>(this.database)
      .updateTable('recognition_chunk')
      .set({ is_enabled: isEnabled })
      .where('id', '=', chunkId)
      .where('run_id', '=', runId)
      .returning(chunkColumns)
      .executeTakeFirst();
    if (!chunk) throw new InvalidInputError({ id: [DOES_NOT_EXIST] });
    return chunk;
  }

  async #chunks(viewer: Viewer, runId: number, isEnabled: boolean | null) {
    await notFoundToInputError('recognitionRunId', locateRun(this.database, viewer, runId, 'project.read'));
    const chunks = queryBuilder<RecognitionTables>(this.database)
      .selectFrom('recognition_chunk')
      .select(chunkColumns)
      .where('run_id', '=', runId);
    return isEnabled === null ? chunks : chunks.where('is_enabled', '=', isEnabled);
  }

  async #assertEnded(viewer: Viewer, runId: number): Promise<void> {
    const run = await locateRun(this.database, viewer, runId, 'recognition.update');
    if (!hasEnded(run)) throw new ConflictError('The recognition run has not ended yet.');
  }
}

/**
 * The position of a new run in the fair queue: one after the last waiting run of its project, and not before the first
 * waiting run of any project.
 */
function nextTurn(sql: Sql, projectId: Expression<number>) {
  const waiting = queryBuilder<RecognitionTables>(sql)
    .selectFrom('recognition_run as w')
    .where('w.state', '=', RecognitionStatus.QUEUED);
  const next = waiting.select(({ fn, lit }) => fn.coalesce(fn.min('w.turn'), lit(0)).as('turn'));
  const afterOwn = waiting
    .select(({ eb, fn, lit }) => fn.coalesce(eb(fn.max('w.turn'), '+', 1), lit(0)).as('turn'))
    .where('w.project_id', '=', projectId);
  return expression<number>`greatest(${next}, ${afterOwn})`;
}

import type { Queue } from '../../durable/queue.js';
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from '../../engine/text/chunk.js';
import type { Database } from '../../platform/database/database.js';
import { ConflictError, InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Page, type PageArgs, window } from '../../platform/lists/page.js';
import { timeConditions } from '../../platform/lists/time-filter.input.js';
import { anyOf } from '../../platform/sql/any-of.js';
import type { Viewer } from '../accounts/viewer.js';
import { locateDocument } from '../documents/locate-document.js';
import { type ProjectAccess, visibleSql } from '../projects/access.js';
import { named } from '../projects/parts/named.js';
import { locateChunk, locateRun } from './locate-recognition.js';
import type { RecognitionRunCreateInput, RecognitionRunFilter } from './recognition.inputs.js';
import { CHUNK_COLUMNS, type RecognitionChunk } from './recognition-chunk.js';
import { hasEnded, type RecognitionRun, RUN_COLUMNS } from './recognition-run.js';
import { RECOGNITION_QUEUE, recognitionJob } from './recognition-work.js';

const DEFAULT_CHUNK_TOKENS = 500;

/** Not before whose turn is next, and one after the last of the project's own that wait. */
const TURN = `greatest(
  (select coalesce(min(w.turn), 0) from recognition_run w where w.state = 'created'),
  (select coalesce(max(w.turn) + 1, 0) from recognition_run w where w.state = 'created' and w.project_id = document.project_id))`;

export class RecognitionService {
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
    const { limit, offset } = window(page);
    const { project = null, document = null } = filter ?? {};
    if (project !== null) await this.access.authorizeNamed(viewer, project, 'project.read');
    if (document !== null) await named('document', locateDocument(this.database, viewer, document, 'project.read'));
    const values: unknown[] = [viewer.userId, viewer.isAdmin, project, document];
    const where = [
      visibleSql('r.project_id', '$1', '$2'),
      '($3::int is null or r.project_id = $3) and ($4::int is null or r.document_id = $4)',
      ...timeConditions(filter ?? {}, 'r.created_at', values),
      ...anyOf('statuses', 'r.state', filter?.statuses, values),
    ].join(' and ');
    const [items, [count]] = await Promise.all([
      this.database.query<RecognitionRun>(
        `select ${RUN_COLUMNS} from recognition_run r where ${where}
          order by r.created_at desc, r.id desc limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, limit, offset],
      ),
      this.database.query<{ total: number }>(
        `select count(*)::int as total from recognition_run r where ${where}`,
        values,
      ),
    ]);
    return { ...page, total: count!.total, items };
  }

  get(viewer: Viewer, id: number): Promise<RecognitionRun> {
    return locateRun(this.database, viewer, id, 'project.read');
  }

  /** Writes the run and sends its job in one transaction. */
  async create(viewer: Viewer, { project, document, chunkSize }: RecognitionRunCreateInput): Promise<RecognitionRun> {
    await this.access.authorizeNamed(viewer, project, 'recognition.run');
    const faults = new Faults();
    faults.integer('chunkSize', chunkSize, { min: MIN_CHUNK_TOKENS, max: MAX_CHUNK_TOKENS });
    faults.throwIfAny();
    return this.database.transaction(async sql => {
      // Not for one that is being deleted, nor for one of another project of the viewer's.
      const [run] = await sql.query<RecognitionRun & { turn: number }>(
        `insert into recognition_run as r (project_id, document_id, created_by_id, chunk_size, turn)
         select project_id, id, $3, $4, ${TURN} from document where id = $2 and project_id = $1 for key share
         returning ${RUN_COLUMNS}, turn`,
        [project, document, viewer.userId, chunkSize ?? DEFAULT_CHUNK_TOKENS],
      );
      if (!run) throw new InvalidInputError({ document: ['Object does not exist.'] });
      await this.queue.send(RECOGNITION_QUEUE, [recognitionJob(run)], sql);
      return run;
    });
  }

  /** The chunks of a run, in the order of the text. */
  async chunks(
    viewer: Viewer,
    runId: number,
    isEnabled: boolean | null,
    page: PageArgs,
  ): Promise<Page<RecognitionChunk>> {
    const { limit, offset } = window(page);
    await named('recognitionrun', locateRun(this.database, viewer, runId, 'project.read'));
    const where = 'c.run_id = $1 and ($2::boolean is null or c.is_enabled = $2)';
    const [items, [count]] = await Promise.all([
      this.database.query<RecognitionChunk>(
        `select ${CHUNK_COLUMNS} from recognition_chunk c where ${where} order by c.index limit $3 offset $4`,
        [runId, isEnabled, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from recognition_chunk c where ${where}`, [
        runId,
        isEnabled,
      ]),
    ]);
    return { ...page, total: count!.total, items };
  }

  chunk(viewer: Viewer, id: number): Promise<RecognitionChunk> {
    return locateChunk(this.database, viewer, id, 'project.read');
  }

  async setAllEnabled(viewer: Viewer, runId: number, isEnabled: boolean): Promise<RecognitionRun> {
    await this.#ended(viewer, runId);
    await this.database.query('update recognition_chunk set is_enabled = $2 where run_id = $1 and is_enabled <> $2', [
      runId,
      isEnabled,
    ]);
    return this.get(viewer, runId);
  }

  /** A chunk of another run is as good as none. */
  async setEnabled(viewer: Viewer, runId: number, chunkId: number, isEnabled: boolean): Promise<RecognitionChunk> {
    await this.#ended(viewer, runId);
    const [chunk] = await this.database.query<RecognitionChunk>(
      `update recognition_chunk c set is_enabled = $3 where c.id = $2 and c.run_id = $1 returning ${CHUNK_COLUMNS}`,
      [runId, chunkId, isEnabled],
    );
    if (!chunk) throw new InvalidInputError({ id: ['Object does not exist.'] });
    return chunk;
  }

  async #ended(viewer: Viewer, runId: number): Promise<void> {
    const run = await locateRun(this.database, viewer, runId, 'recognition.update');
    if (!hasEnded(run)) throw new ConflictError('The recognition run has not ended yet.');
  }
}

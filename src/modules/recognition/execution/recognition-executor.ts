import { WORKER_LOST } from '../../../durable/dead-letters.js';
import type { TextChunk } from '../../../engine/text/chunk.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { whenReachable } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import type { Log } from '../../../platform/logging/log.js';
import { recordRunEnd } from '../../../platform/tracing/work-context.js';
import { StoredFileMissingError } from '../../../providers/storage/storage.js';
import type { TextReader } from '../../../providers/text/text-reader.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import { type ClaimedRecognition, type RecognitionClaims, RecognitionLostError } from './recognition-claims.js';

/** Maximum number of attempts before a run fails permanently. */
const MAX_ATTEMPTS = 3;
/** Chunks are written when a batch has this many of them or this many characters. */
const BATCH_CHUNKS = 100;
const BATCH_CHARACTERS = 500_000;

/** Reads the document of a claimed run in a child process and writes the chunks as they arrive. */
export class RecognitionExecutor {
  constructor(
    private readonly claims: RecognitionClaims,
    private readonly files: DocumentFiles,
    private readonly reader: TextReader,
    private readonly log: Log,
  ) {}

  /** Resolves when the run has ended or its lease is lost. Throws an error that another attempt may resolve. */
  async execute(run: ClaimedRecognition, signal: AbortSignal): Promise<undefined> {
    try {
      if (run.attempts > MAX_ATTEMPTS)
        return await this.#fail(run, `Reading the file was interrupted ${MAX_ATTEMPTS} times.`, signal, true);
      await this.#read(run, signal);
    } catch (error) {
      if (error instanceof RecognitionLostError) return;
      if (error instanceof UnreadableError) return await this.#fail(run, error.message, signal);
      if (error instanceof StoredFileMissingError)
        return await this.#fail(run, 'The file of the document no longer exists. Upload it again.', signal);
      if (!isRetryableDatabaseError(error) && !signal.aborted) {
        this.log.error({ err: error, recognitionRunId: run.runId }, 'reading document failed');
        if (run.attempts === MAX_ATTEMPTS)
          return await this.#fail(run, 'The file could not be read because of an internal error.', signal);
      }
      throw error;
    }
  }

  async #fail(run: ClaimedRecognition, error: string, signal: AbortSignal, isWorkerLost = false): Promise<undefined> {
    await whenReachable(() => this.claims.fail(run, error, isWorkerLost), signal);
    recordRunEnd({ outcome: 'failed', error: isWorkerLost ? WORKER_LOST : 'unreadable' });
  }

  async #read(run: ClaimedRecognition, signal: AbortSignal): Promise<void> {
    const content = await this.files.open(run.resultFile);
    const { contentType, chunkSize } = run;
    let batch: TextChunk[] = [];
    let characters = 0;
    let count = 0;
    // Retried while the database is unreachable, because reading the document again would cost more.
    const persist = (work: () => Promise<void>) => whenReachable(work, signal);
    const flush = async () => {
      count += batch.length;
      if (batch.length > 0) await persist(() => this.claims.addChunks(run, batch, count));
      batch = [];
      characters = 0;
    };
    for await (const event of this.reader.read(content, { contentType, chunkSize }, signal)) {
      if (event.kind === 'progress') await persist(() => this.claims.recordProgress(run, event.done));
      else {
        batch.push(event.chunk);
        characters += event.chunk.text.length;
        if (batch.length >= BATCH_CHUNKS || characters >= BATCH_CHARACTERS) await flush();
      }
    }
    await flush();
    await persist(() => this.claims.finish(run));
    recordRunEnd({ outcome: 'succeeded' });
  }
}

import type { Queue } from '../../durable/queue.js';
import { watchRun } from '../../durable/watch-runs.js';
import type { TextChunk } from '../../engine/text/chunk.js';
import { UnreadableError } from '../../engine/text/unreadable.js';
import { onceReachable } from '../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../platform/database/database-errors.js';
import type { Log } from '../../platform/logging/log.js';
import { noteRunEnd } from '../../platform/tracing/scope.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import { StoredFileMissingError } from '../../providers/storage/storage.js';
import type { TextReader } from '../../providers/text/text-reader.js';
import type { DocumentFiles } from '../documents/document-files.js';
import {
  type ClaimedRecognition,
  RECOGNITION_QUEUE,
  RecognitionLostError,
  type RecognitionWork,
  recognitionJob,
} from './recognition-work.js';

/** Documents that one worker process reads at the same time. */
const CONCURRENCY = 2;
/** Times that a run is begun before it is given up. */
const MAX_ATTEMPTS = 3;
const BATCH = 100;
const BATCH_CHARACTERS = 500_000;
const STRANDED_SECONDS = 120;
const REAP_MS = 30_000;
/** A picture says nothing until it is read: this tells that somebody is at it. */
const TOUCH_MS = 30_000;

/** Reads documents: claims a run, has its document read by a process of its own, and writes the chunks as they come. */
export class RecognitionJob {
  readonly #abort = new AbortController();
  readonly #active = new Set<Promise<void>>();
  #reaper: NodeJS.Timeout | undefined;
  #polling: Promise<string> | undefined;

  constructor(
    private readonly queue: Queue,
    private readonly work: RecognitionWork,
    private readonly files: DocumentFiles,
    private readonly reader: TextReader,
    private readonly log: Log,
    private readonly telemetry: Telemetry,
  ) {}

  start(): void {
    this.#reaper = setInterval(
      () => void this.#guarded('looking for stranded recognition runs', this.#reap()),
      REAP_MS,
    );
    this.#polling = this.queue.boss.work<{ id: number }>(
      RECOGNITION_QUEUE,
      { localConcurrency: CONCURRENCY, batchSize: 1, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 },
      async jobs => {
        for (const { data } of jobs) await this.#tracked(this.run(data.id));
      },
    );
  }

  /** Lets runs under way finish within `graceMs`; another worker begins the rest anew. */
  async stop(graceMs: number): Promise<void> {
    clearInterval(this.#reaper);
    if (this.#polling) await this.queue.boss.offWork(RECOGNITION_QUEUE, { id: await this.#polling, wait: false });
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>(resolve => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.allSettled(this.#active), grace]);
    clearTimeout(timer);
    this.#abort.abort(new Error('the worker stops'));
    await Promise.allSettled(this.#active);
  }

  /** Reads the document of one run to its end. Throws for what another try may mend; the queue then tries again. */
  async run(id: number): Promise<void> {
    const run = await this.work.claim(id);
    if (!run) return;
    const told = { id: String(id), attempts: run.attempts, createdAt: run.createdAt };
    await watchRun(this.telemetry, 'recognition', told, () => this.#run(run));
  }

  async #run(run: ClaimedRecognition): Promise<void> {
    try {
      if (run.attempts > MAX_ATTEMPTS)
        return await this.#fail(run, `Reading the file broke off ${MAX_ATTEMPTS} times.`);
      await this.#read(run);
    } catch (error) {
      if (error instanceof RecognitionLostError) return;
      if (error instanceof UnreadableError) return await this.#fail(run, error.message);
      if (error instanceof StoredFileMissingError) return await this.#fail(run, 'The file of the document is gone.');
      if (!isRetryableDatabaseError(error) && !this.#abort.signal.aborted) {
        this.log.error({ err: error, recognitionRunId: run.id }, 'reading a document failed');
        if (run.attempts === MAX_ATTEMPTS)
          return await this.#fail(run, 'The file could not be read for an internal reason.');
      }
      throw error;
    }
  }

  async #fail(run: ClaimedRecognition, error: string): Promise<void> {
    await onceReachable(() => this.work.fail(run, error), this.#abort.signal);
    noteRunEnd({ outcome: 'failed', error: 'unreadable' });
  }

  async #read(run: ClaimedRecognition): Promise<void> {
    const content = await this.files.open(run.resultFile);
    const { contentType, chunkSize } = run;
    let batch: TextChunk[] = [];
    let characters = 0;
    let count = 0;
    // A database that refuses for a while is no reason to read the document anew: what was read is kept.
    const written = (work: () => Promise<void>) => onceReachable(work, this.#abort.signal);
    const flush = async () => {
      count += batch.length;
      if (batch.length > 0) await written(() => this.work.addChunks(run, batch, count));
      batch = [];
      characters = 0;
    };
    const touching = setInterval(
      () => void this.#guarded('touching a recognition run', this.work.touch(run)),
      TOUCH_MS,
    );
    try {
      for await (const told of this.reader.read(content, { contentType, chunkSize }, this.#abort.signal)) {
        if (told.kind === 'progress') await written(() => this.work.progress(run, told.done));
        else {
          batch.push(told.chunk);
          characters += told.chunk.text.length;
          if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) await flush();
        }
      }
      await flush();
      await written(() => this.work.finish(run));
      noteRunEnd({ outcome: 'succeeded' });
    } finally {
      clearInterval(touching);
    }
  }

  #tracked(work: Promise<void>): Promise<void> {
    this.#active.add(work);
    return work.finally(() => this.#active.delete(work));
  }

  #reap(): Promise<void> {
    return this.work.wakeStranded(STRANDED_SECONDS, (runs, sql) =>
      this.queue.send(RECOGNITION_QUEUE, runs.map(recognitionJob), sql),
    );
  }

  /** A fault of one round (the database is away) is mended by the next one. */
  async #guarded(what: string, work: Promise<void>): Promise<void> {
    await work.catch(error => this.log.warn({ err: error }, `${what} failed; trying again`));
  }
}

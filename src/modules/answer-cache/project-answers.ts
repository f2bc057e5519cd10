import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../engine/ports.js';
import type { AnswerCache, CachedAnswer } from '../../engine/workflow/nodes/ai/cached-answers.js';
import type { Vault } from '../../platform/crypto/crypto.js';
import type { Database } from '../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../platform/database/typed-queries.js';
import type { Log } from '../../platform/logging/log.js';
import type { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import type { AnswerCacheTables } from './answer-cache-tables.js';

/** Longer answers are not stored. */
const MAX_CHARACTERS = 262_144;

/** The answers that models gave to requests of projects, encrypted. */
export class ProjectAnswers {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly log: Log,
    /** Requests by outcome: `hit` or `miss`. */
    private readonly outcomes: LabeledCounter,
  ) {}

  /** Implements the port of the engine for one project. */
  of(projectId: number): AnswerCache {
    return {
      find: (request, maxSeconds) => this.#find(projectId, request, maxSeconds),
      keep: (request, answer, seconds) =>
        this.#keep(projectId, request, answer, seconds).catch(error =>
          this.log.warn({ err: error, projectId }, 'the answer of a model was not stored in the cache'),
        ),
    };
  }

  async #find(projectId: number, request: ModelRequest, maxSeconds: number): Promise<CachedAnswer | null> {
    const digest = this.#digestOf(request);
    const row = await queryBuilder<AnswerCacheTables>(this.database)
      .selectFrom('cached_answer')
      .select('sealed_answer as sealedAnswer')
      .where('project_id', '=', projectId)
      .where('digest', '=', digest)
      .where('expires_at', '>', NOW)
      .where('created_at', '>', secondsFromNow(-maxSeconds))
      .executeTakeFirst();
    this.outcomes.count([row ? 'hit' : 'miss']);
    return row ? JSON.parse(this.vault.open(row.sealedAnswer, contextOf(projectId, digest))) : null;
  }

  async #keep(projectId: number, request: ModelRequest, answer: CachedAnswer, seconds: number): Promise<void> {
    const text = JSON.stringify(answer);
    if (text.length > MAX_CHARACTERS) return;
    const digest = this.#digestOf(request);
    const values = {
      sealed_answer: this.vault.seal(text, contextOf(projectId, digest)),
      created_at: NOW,
      expires_at: secondsFromNow(seconds),
    };
    await queryBuilder<AnswerCacheTables>(this.database)
      .insertInto('cached_answer')
      .values({ project_id: projectId, digest, ...values })
      .onConflict(existing => existing.columns(['project_id', 'digest']).doUpdateSet(values))
      .execute();
  }

  #digestOf(request: ModelRequest): Buffer {
    return this.vault.digest(`cached_answer:request:${JSON.stringify(withoutBytes(request))}`);
  }
}

/** Replaces a recording by its hash, because its JSON text would be many times longer. */
function withoutBytes(request: ModelRequest): object {
  const { media } = request;
  if (media?.kind !== 'transcription') return request;
  const { bytes, ...recording } = media.recording;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...request, media: { ...media, recording: { ...recording, sha256 } } };
}

function contextOf(projectId: number, digest: Buffer): string {
  return `cached_answer:sealed_answer:${projectId}:${digest.toString('base64url')}`;
}

function secondsFromNow(seconds: number) {
  return expression<Date>`now() + make_interval(secs => ${seconds})`;
}

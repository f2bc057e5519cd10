import { Readable } from 'node:stream';
import { type ImageMaker, PortError, type Usage } from '../../../engine/ports.js';
import { type Database, type Sql, whenReachable } from '../../../platform/database/database.js';
import { expression, queryBuilder } from '../../../platform/database/typed-queries.js';
import { PayloadTooLargeError } from '../../../platform/errors/errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { ImageProvider } from '../../../providers/images.js';
import type { Spool } from '../../../providers/storage/spool.js';
import type { RunSpending } from '../../billing/run-spending.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { FileLinks, LinkedFile } from '../../documents/file-links.js';
import type { ProjectStorage } from '../../documents/project-storage.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import type { ClaimedScenarioRun } from './scenario-run-claims.js';

/** Generates images for runs and stores them. Retention deletes them with the results of the run. */
export class RunImages {
  constructor(
    private readonly database: Database,
    /** Returns null if the project has no image provider. */
    private readonly providerFor: (projectId: number) => Promise<ImageProvider | null>,
    private readonly spool: Spool,
    private readonly files: DocumentFiles,
    private readonly links: FileLinks,
    private readonly storage: ProjectStorage,
    /** The public base URL of this service, without a trailing slash. */
    private readonly publicUrl: string,
  ) {}

  /**
   * Returns the image port for one run. Every image requires a budget reservation, like a model call. An image that was stored
   * before its result was recorded is used and not generated again.
   */
  imageMakerFor({ runId, projectId }: ClaimedScenarioRun, spending: RunSpending): ImageMaker {
    return {
      generate: async (request, call) => {
        const find = () => this.#find(runId, call.idempotencyKey);
        const stored = await whenReachable(find, call.signal);
        if (stored) return { url: this.#urlOf(stored.key), usage: stored.usage };
        const provider = await whenReachable(() => this.providerFor(projectId), call.signal);
        if (!provider)
          throw new PortError(
            'images_unavailable',
            'no image provider is configured: set OPENAI_API_KEY or add an OpenAI key to the project',
          );
        const estimate = { costUsd: await provider.estimate(request), isService: !provider.isOwn };
        return spending.cover(estimate, call, async () => {
          const { content, usage } = await provider.generate(request, call);
          const owner = { runId, projectId, callKey: call.idempotencyKey };
          // The commit of a lost connection may have succeeded.
          const keep = async () => (await find())?.key ?? (await this.#store(owner, content, usage));
          const key = await whenReachable(keep, call.signal);
          failpoint('run-image.stored');
          return { url: this.#urlOf(key), usage };
        });
      },
    };
  }

  #urlOf(key: string): string {
    return `${this.publicUrl}${this.links.lastingPathTo(key)}`;
  }

  async #find(runId: number, callKey: string): Promise<{ key: string; usage: Usage } | undefined> {
    const file = await queryBuilder<ScenarioRunTables>(this.database)
      .selectFrom('scenario_run_file')
      .select(['result_file as key', expression<Usage | null>`usage`.as('usage')])
      .where('run_id', '=', runId)
      .where('call_key', '=', callKey)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return file?.usage ? { key: file.key, usage: file.usage } : undefined;
  }

  async #store({ runId, projectId, callKey }: ImageOwner, content: Buffer, usage: Usage): Promise<string> {
    const file = await this.spool.receive(Readable.from([content]), 'image').catch(error => {
      if (!(error instanceof PayloadTooLargeError)) throw error;
      throw new PortError('bad_upstream_answer', 'The image is larger than a stored file may be.', { usage });
    });
    try {
      const { contentType, size } = file;
      if (!contentType.startsWith('image/'))
        throw new PortError(
          'bad_upstream_answer',
          `The model provider returned no image but a file of the type ${contentType}.`,
          { usage },
        );
      return await this.files.store([file], async (sql, [key]) => {
        await queryBuilder<ScenarioRunTables>(sql)
          .insertInto('scenario_run_file')
          .values({
            ...{ result_file: key!, run_id: runId, project_id: projectId, content_type: contentType, size },
            ...{ call_key: callKey, usage: JSON.stringify(usage) },
          })
          .execute();
        await this.storage.assertWithinLimit(sql, projectId, size).catch(error => {
          if (!(error instanceof PayloadTooLargeError)) throw error;
          throw new PortError('storage_quota_exceeded', error.message, { usage });
        });
        return key!;
      });
    } finally {
      await file.discard();
    }
  }
}

interface ImageOwner extends Pick<ClaimedScenarioRun, 'runId' | 'projectId'> {
  /** Idempotency key of the call. */
  callKey: string;
}

/** Finds an image of a run for its download link. The storage key is also its file name. */
export function findRunFile(sql: Sql, resultFile: string): Promise<LinkedFile | undefined> {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run_file')
    .select(['result_file as resultFile', 'result_file as filename', 'content_type as contentType', 'size'])
    .where('result_file', '=', resultFile)
    .executeTakeFirst();
}

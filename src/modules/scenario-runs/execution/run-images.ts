import { Readable } from 'node:stream';
import { type ImageMaker, PortError, type Usage } from '../../../engine/ports.js';
import { PayloadTooLargeError } from '../../../platform/errors/errors.js';
import type { ImageProvider } from '../../../providers/images.js';
import type { Spool } from '../../../providers/storage/spool.js';
import type { RunSpending } from '../../billing/run-spending.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import type { FileLinks } from '../../documents/file-links.js';
import type { ProjectStorage } from '../../documents/project-storage.js';
import type { ClaimedScenarioRun } from './scenario-run-leases.js';

const INSERT = `
  insert into scenario_run_file (result_file, run_id, project_id, content_type, size) values ($1, $2, $3, $4, $5)`;

/** Has images made for runs and stores them; they stay for as long as their runs do. */
export class RunImages {
  constructor(
    /** Null: nobody makes images for the project. */
    private readonly providerFor: (projectId: number) => Promise<ImageProvider | null>,
    private readonly spool: Spool,
    private readonly files: DocumentFiles,
    private readonly links: FileLinks,
    private readonly storage: ProjectStorage,
    /** Address of this service as its users reach it; without a slash at its end. */
    private readonly publicUrl: string,
  ) {}

  /** Every image is covered by what the run may spend, as its model calls are. */
  makerFor({ runId, projectId }: ClaimedScenarioRun, spending: RunSpending): ImageMaker {
    return {
      generate: async (request, call) => {
        const provider = await this.providerFor(projectId);
        if (!provider) throw new PortError('images_unavailable', 'no provider of images is configured');
        const estimate = { costUsd: await provider.estimate(request), isService: !provider.isOwn };
        return spending.cover(estimate, call, async () => {
          const { content, usage } = await provider.make(request, call);
          const key = await this.#store({ runId, projectId }, content, usage);
          return { url: `${this.publicUrl}${this.links.lastingPathTo(key)}`, usage };
        });
      },
    };
  }

  async #store(
    { runId, projectId }: Pick<ClaimedScenarioRun, 'runId' | 'projectId'>,
    content: Buffer,
    usage: Usage,
  ): Promise<string> {
    const file = await this.spool.receive(Readable.from([content]), 'image').catch(error => {
      if (!(error instanceof PayloadTooLargeError)) throw error;
      throw new PortError('bad_upstream_answer', 'The image is larger than a stored file may be.', usage);
    });
    try {
      const { contentType, size } = file;
      if (!contentType.startsWith('image/'))
        throw new PortError('bad_upstream_answer', 'What the model provider sent is no image.', usage);
      return await this.files.store([file], async (sql, [key]) => {
        await sql.query(INSERT, [key, runId, projectId, contentType, size]);
        await this.storage.demandRoom(sql, projectId, size).catch(error => {
          if (!(error instanceof PayloadTooLargeError)) throw error;
          throw new PortError('storage_quota_exceeded', error.message, usage);
        });
        return key!;
      });
    } finally {
      await file.discard();
    }
  }
}

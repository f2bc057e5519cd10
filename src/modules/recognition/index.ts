import { RUN_JOBS } from '../../durable/queue.js';
import { HOURLY } from '../../durable/scheduled-tasks.js';
import { TextReader } from '../../providers/text/text-reader.js';
import { accounts } from '../accounts/index.js';
import type { Viewer } from '../accounts/viewer.js';
import { documents } from '../documents/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { webhooks } from '../webhooks/index.js';
import { ChunkTextResolver } from './chunk-text.resolver.js';
import { DocumentSearch } from './document-search.js';
import { DocumentSearchResolver } from './document-search.resolver.js';
import { RecognitionJob } from './execution/recognition.job.js';
import { RECOGNITION_QUEUE, RecognitionClaims } from './execution/recognition-claims.js';
import { RecognitionExecutor } from './execution/recognition-executor.js';
import { RecognitionService } from './recognition.service.js';
import { RecognitionChangeStreams } from './recognition-change-streams.js';
import { RecognitionChunkEntity } from './recognition-chunk.entity.js';
import {
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
} from './recognition-relatives.resolver.js';
import { RecognitionRetention } from './recognition-retention.js';
import { RecognitionRunEntity } from './recognition-run.entity.js';
import { RecognitionRunResolver } from './recognition-run.resolver.js';
import { recognitionWebhooks } from './recognition-webhooks.js';

/** Recognition runs, which split the text of documents into chunks, and the search in these chunks. */
export const recognition = defineModule({
  name: 'recognition',
  needs: { accounts, documents, projects, webhooks },
  entities: [RecognitionChunkEntity, RecognitionRunEntity],
  resolvers: [
    RecognitionRunResolver,
    ChunkRunResolver,
    DocumentRecognitionsResolver,
    ProjectRecognitionsResolver,
    RecognitionRelativesResolver,
    ChunkTextResolver,
    DocumentSearchResolver,
  ],
  queues: { [RECOGNITION_QUEUE]: RUN_JOBS },
  create(
    { config, telemetry, database, bus, queue, pageBytes },
    { documents: { files }, projects: { access }, webhooks: { outbox } },
  ) {
    const service = new RecognitionService(database, access, queue);
    const changeStreams = new RecognitionChangeStreams(service, bus);
    const claims = new RecognitionClaims(database, queue, recognitionWebhooks(outbox));
    const { log } = telemetry;
    const executor = new RecognitionExecutor(claims, files, new TextReader(), log);
    const search = new DocumentSearch(database, access);
    const retention = new RecognitionRetention(database, config.runResultTtlDays);
    return {
      services: { search, redrive: (viewer: Viewer, id: string) => service.redrive(viewer, Number(id)) },
      resolvers: [
        new RecognitionRunResolver(service),
        new ChunkRunResolver(database),
        new DocumentRecognitionsResolver(database),
        new ProjectRecognitionsResolver(database),
        new RecognitionRelativesResolver(database),
        new ChunkTextResolver(database, pageBytes),
        new DocumentSearchResolver(search),
      ],
      jobs: [new RecognitionJob({ queue, database, bus, claims, log, telemetry }, executor)],
      scheduledTasks: [{ name: 'deleting old recognition runs', cron: HOURLY, run: () => retention.run() }],
      streams: { recognitionRunChanged: (viewer, args) => changeStreams.open(viewer, args.id as number) },
    };
  },
});

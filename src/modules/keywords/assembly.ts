import type { RunWorkerParts } from '../../durable/run-worker.js';
import type { ConnectionSummary } from '../../engine/connections/kinds.js';
import type { Database } from '../../platform/database/database.js';
import type { Bus } from '../../platform/messaging/bus.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { Clusterer } from '../../providers/text/clusterer.js';
import { KeywordReader } from '../../providers/text/keyword-reader.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { RunConnections } from '../connections/runs/run-connections.js';
import type { ProjectAccess } from '../projects/access.js';
import type { ModelsOfRun } from '../provider-keys/project-models.js';
import type { DocumentSearch } from '../recognition/document-search.js';
import { KeywordService } from './keyword.service.js';
import { type KeywordChangeListener, KeywordChanges } from './keyword-changes.js';
import { KeywordRunJob } from './runs/keyword-run.job.js';
import { KeywordRunService } from './runs/keyword-run.service.js';
import { KeywordRunChangeStreams } from './runs/keyword-run-change-streams.js';
import { type ClaimedKeywordRun, KeywordRunClaims } from './runs/keyword-run-claims.js';
import { KeywordRunExecutor } from './runs/keyword-run-executor.js';
import { type KeywordRunEndListener, KeywordRunRecorder } from './runs/keyword-run-recorder.js';
import { KeywordSource } from './runs/keyword-source.js';

export interface KeywordsParts extends Pick<RunWorkerParts<ClaimedKeywordRun>, 'queue' | 'log' | 'telemetry'> {
  database: Database;
  bus: Bus;
  access: ProjectAccess;
  budget: Budget;
  outbound: Outbound;
  connections: RunConnections;
  /** The connections of a project by id. */
  connectionsOf: (projectId: number) => Promise<ReadonlyMap<number, ConnectionSummary>>;
  search: DocumentSearch;
  modelsOf: (projectId: number) => ModelsOfRun;
  /** Whether a model provider is configured for the project. */
  hasModel: (projectId: number) => Promise<boolean>;
  /** Called after the keywords of a run changed. */
  changeListeners: readonly KeywordChangeListener[];
  endListener: KeywordRunEndListener;
}

export interface KeywordsAssembly {
  keywords: KeywordService;
  runs: KeywordRunService;
  changeStreams: KeywordRunChangeStreams;
  job: KeywordRunJob;
}

/** Creates the services for keywords and keyword runs, and the job that executes the runs. */
export function assembleKeywords(parts: KeywordsParts): KeywordsAssembly {
  const { database, bus, access, queue, log, telemetry, budget, hasModel, connectionsOf } = parts;
  const changes = new KeywordChanges(parts.changeListeners);
  const createClusterer = () => new Clusterer(telemetry.metrics.slotGauge('clustering'));
  const runs = new KeywordRunService({
    ...{ database, access, queue, budget, changes, hasModel, connectionsOf },
    clusterer: createClusterer(),
  });
  const source = new KeywordSource({ ...parts, reader: new KeywordReader() });
  const recorder = new KeywordRunRecorder(database, queue, changes, parts.endListener);
  // A separate clusterer, so that requests never delay runs.
  const clusterer = createClusterer();
  const executor = new KeywordRunExecutor({ ...parts, source, clusterer, recorder });
  return {
    keywords: new KeywordService(database, access, changes),
    runs,
    changeStreams: new KeywordRunChangeStreams(runs, bus),
    job: new KeywordRunJob({ queue, database, bus, claims: new KeywordRunClaims(database), log, telemetry }, executor),
  };
}

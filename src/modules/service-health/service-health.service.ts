import { type BacklogRow, readBacklog } from '../../durable/backlog.sql.js';
import { DEAD_LETTER_KINDS, deadLetterQueue } from '../../durable/dead-letters.js';
import type { Queue } from '../../durable/queue.js';
import type { Role } from '../../platform/config/config.js';
import type { Database } from '../../platform/database/database.js';
import { UnavailableError } from '../../platform/errors/errors.js';
import type { Log } from '../../platform/logging/log.js';
import { cachedQuery } from '../../platform/metrics/cached-query.js';
import { assertAdministrator } from '../accounts/users/user.service.js';
import type { Viewer } from '../accounts/viewer.js';
import { packageVersion } from './package-version.js';
import type { ServiceHealth, ServiceQueue } from './service-health.type.js';

const RETRY_AFTER_SECONDS = 5;

interface Figures {
  backlog: BacklogRow[];
  /** Numbers of queued jobs by the name of their queue. */
  depths: ReadonlyMap<string, number>;
  isDatabaseWritable: boolean;
}

/** Reads the state of the service for administrators. */
export class ServiceHealthService {
  readonly #version = packageVersion();
  readonly #startedAt = new Date(Date.now() - performance.now());
  readonly #read: () => Promise<Figures | null>;

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly role: Role,
    log: Log,
  ) {
    this.#read = cachedQuery(
      () => this.#figures(),
      error => log.warn({ reason: error.message }, 'reading the state of the service failed'),
    );
  }

  /** @throws UnavailableError if the database does not respond in time */
  async get(viewer: Viewer): Promise<ServiceHealth> {
    assertAdministrator(viewer);
    const figures = await this.#read();
    if (!figures) throw new UnavailableError('The database did not count the work in time.', RETRY_AFTER_SECONDS);
    return {
      ...{ version: this.#version, role: this.role, startedAt: this.#startedAt },
      isDatabaseWritable: figures.isDatabaseWritable,
      queues: DEAD_LETTER_KINDS.map(kind => queueOf(kind, figures)),
    };
  }

  async #figures(): Promise<Figures> {
    const [backlog, queues, isDatabaseWritable] = await Promise.all([
      readBacklog(this.database),
      this.queue.boss.getQueues(),
      this.database.checkWrites().then(
        () => true,
        () => false,
      ),
    ]);
    return { backlog, isDatabaseWritable, depths: new Map(queues.map(({ name, queuedCount }) => [name, queuedCount])) };
  }
}

function queueOf(kind: ServiceQueue['kind'], { backlog, depths }: Figures): ServiceQueue {
  const rowIn = (state: string) => backlog.find(row => row.kind === kind && row.state === state);
  const queued = rowIn('queued');
  return {
    kind,
    ...{ queued: queued?.count ?? 0, running: rowIn('running')?.count ?? 0, waiting: rowIn('waiting')?.count ?? 0 },
    oldestQueuedSeconds: queued?.oldest == null ? null : Math.max(0, queued.oldest),
    deadLetters: depths.get(deadLetterQueue(kind)) ?? 0,
  };
}

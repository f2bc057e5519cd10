import type { Config } from '../base/config.js';
import type { Database } from '../base/database.js';
import type { Log } from '../base/log.js';
import { Rounds } from '../base/rounds.js';
import type { IdempotencyKeys } from '../resources/accounts/idempotency-keys.js';
import { SessionRetention } from '../resources/accounts/session-retention.js';
import type { Budget } from '../resources/billing/budget.js';
import type { KeyBudget } from '../resources/billing/key-budget.js';
import { UploadRetention } from '../resources/documents/upload-retention.js';
import { KeywordRunRetention } from '../resources/keywords/keyword-run-retention.js';
import { InvitationRetention } from '../resources/projects/invitation-retention.js';
import { RecognitionRetention } from '../resources/recognition/recognition-retention.js';
import { ScenarioRunRetention } from '../resources/scenario-runs/scenario-run-retention.js';
import type { WebhookRetention } from '../resources/webhooks/webhook-retention.js';
import { ArchiveRetention } from '../resources/workflow-runs/archive-retention.js';
import { RunRetention } from '../resources/workflow-runs/run-retention.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface HousekeepingParts {
  config: Pick<Config, 'runResultTtlDays' | 'archiveTtlDays'>;
  database: Database;
  log: Log;
  keys: IdempotencyKeys;
  budget: Budget;
  keyBudget: KeyBudget;
  webhooks: WebhookRetention;
}

/** What workers delete periodically. docs/operations.md has one table with the rule of each database table. */
export function housekeepingRounds({ config, database, log, ...parts }: HousekeepingParts): Rounds[] {
  const { runResultTtlDays: result, archiveTtlDays: archive } = config;
  const hourly = (what: string, retention: { run(): Promise<unknown> }) =>
    new Rounds(log, { what, everyMs: HOUR_MS, run: () => retention.run() });
  return [
    hourly('keeping results', new RunRetention(database.longRunning, result)),
    hourly('clearing results of scenario runs', new ScenarioRunRetention(database, result)),
    hourly('clearing recognition runs', new RecognitionRetention(database, result)),
    hourly('clearing keyword runs', new KeywordRunRetention(database, result)),
    hourly('clearing archived workflows', new ArchiveRetention(database, { archive, result })),
    hourly('clearing sessions', new SessionRetention(database)),
    hourly('clearing invitations', new InvitationRetention(database)),
    hourly('forgetting uploads', new UploadRetention(database)),
    hourly('clearing webhooks', parts.webhooks),
    hourly('clearing idempotency keys', { run: () => parts.keys.expire() }),
    new Rounds(log, { what: 'dropping reservations', everyMs: MINUTE_MS, run: () => parts.budget.expire() }),
    new Rounds(log, { what: 'dropping reservations of keys', everyMs: MINUTE_MS, run: () => parts.keyBudget.expire() }),
  ];
}

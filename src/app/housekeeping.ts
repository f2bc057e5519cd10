import type { IdempotencyKeys } from '../modules/accounts/api-keys/idempotency-keys.js';
import { SessionRetention } from '../modules/accounts/sessions/session-retention.js';
import type { Budget } from '../modules/billing/budgets/budget.js';
import type { KeyBudget } from '../modules/billing/budgets/key-budget.js';
import { UploadRetention } from '../modules/documents/upload-retention.js';
import { KeywordRunRetention } from '../modules/keywords/runs/keyword-run-retention.js';
import { InvitationRetention } from '../modules/projects/members/invitation-retention.js';
import { RecognitionRetention } from '../modules/recognition/recognition-retention.js';
import { ScenarioRunRetention } from '../modules/scenario-runs/scenario-run-retention.js';
import type { WebhookRetention } from '../modules/webhooks/webhook-retention.js';
import { ArchiveRetention } from '../modules/workflow-runs/journal/archive-retention.js';
import { RunRetention } from '../modules/workflow-runs/journal/run-retention.js';
import type { Config } from '../platform/config/config.js';
import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import { Rounds } from '../platform/scheduling/rounds.js';

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

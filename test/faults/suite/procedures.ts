import type { Context } from './fixture.js';
import type { Outcome } from './outcome.js';
import { apiKills } from './procedures/api-kills.js';
import { databaseKills } from './procedures/database-kills.js';
import { failpoints } from './procedures/failpoints.js';
import { ledgerLock, statementTimeout } from './procedures/locks.js';
import { paidAnswers } from './procedures/paid-answers.js';
import { parallelEnds } from './procedures/parallel-ends.js';
import { poison } from './procedures/poison.js';
import { races } from './procedures/races.js';
import { readOnly } from './procedures/read-only.js';
import { shortages } from './procedures/shortages.js';
import { silentConnections } from './procedures/silent-connections.js';
import { upstreamFaults } from './procedures/upstream-faults.js';
import { webhookKills } from './procedures/webhook-kills.js';
import { processKills, workerKills } from './procedures/worker-kills.js';

export type Procedure = (context: Context) => Promise<Outcome>;

/** All procedures by name, in the order in which they run. */
export const PROCEDURES: Record<string, Procedure> = {
  'worker-kills': workerKills,
  'process-kills': processKills,
  'api-kills': apiKills,
  'webhook-kills': webhookKills,
  'database-kills': databaseKills,
  'silent-connections': silentConnections,
  'read-only': readOnly,
  failpoints,
  'upstream-faults': upstreamFaults,
  races,
  'parallel-ends': parallelEnds,
  poison,
  shortages,
  'paid-answers': paidAnswers,
  'statement-timeout': statementTimeout,
  'ledger-lock': ledgerLock,
};

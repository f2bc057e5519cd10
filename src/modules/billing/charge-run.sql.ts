import type { Usage } from '../../engine/ports.js';
import type { Sql } from '../../platform/database/database.js';
import { freedSql, insertEntriesSql, ownersSql, RAISE_TOTALS } from './ledger.sql.js';

/** The charge for one operation of a run. */
export interface RunCharge {
  nodeId: string;
  iteration: string;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string;
  description: string;
  usage: Usage[] | null;
  /** The part of the amount, in US dollars, that was paid with a provider key of the service. Undefined: none. */
  serviceUsd: string | undefined;
}

/** A run with the charges and reservations that one write settles. */
export interface ChargedRun {
  /** The `billing_id` of the scenario or keyword run, or the id of the rehearsal run. It holds the reservations. */
  id: string;
  projectId: number;
  userId: number | null;
  /** The `operation` of the ledger rows. */
  operation: string;
  charges: readonly RunCharge[];
  /** The ids of reservations to release: their calls are charged here or cost nothing. */
  settled: readonly string[];
  /** Whether the run has ended. If so, all its reservations are released. */
  isEnded: boolean;
}

// One statement updates the ledger, the reservations and the totals atomically. Each charge is written only
// once. A description that equals the operation is stored as null. Parameters: $1 project, $2 run, $3 user, $4 operation,
// $5 charges, $6 reservations to release, $7 whether to release all reservations of the run.
const CHARGE = `
  with ${ownersSql('$1::int', '$3::int')},
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select p.id, $2::uuid, l."nodeId", l.iteration, u.id, $4::text, l.status, l."amountUsd", l.reason, nullif(l.description, $4), l.usage,
           l."serviceUsd"
      from owning_projects p left join owning_users u on true
     cross join json_to_recordset($5::json) as l("nodeId" text, iteration text, status text, "amountUsd" numeric, reason text,
             description text, usage json, "serviceUsd" numeric)`,
  )}
    returning project_id, user_id, amount_usd, service_usd),
  ${freedSql('b.holder = $2::uuid and ($7 or b.id = any($6::uuid[]))')},
  ${RAISE_TOTALS}
  select 1`;

/**
 * Writes the charges of a scenario, keyword or rehearsal run in the transaction that records its progress. Idempotent: a repeated charge has
 * no effect.
 */
export async function chargeRun(sql: Sql, run: ChargedRun): Promise<void> {
  const { id, projectId, userId, operation, charges, settled, isEnded } = run;
  await sql.query(CHARGE, [projectId, id, userId, operation, JSON.stringify(charges), settled, isEnded]);
}

import type { Usage } from '../../engine/ports.js';
import type { Sql } from '../../platform/database/database.js';
import { freedSql, insertEntriesSql, RAISE_TOTALS } from './ledger.sql.js';

/** One operation of a run on the ledger. */
export interface RunCharge {
  nodeId: string;
  iteration: string;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string;
  description: string;
  usage: Usage[] | null;
  /** Paid with a provider key of the service; undefined: nothing. */
  serviceUsd: string | undefined;
}

export interface ChargedRun {
  /** The run's `billing_id`: it holds the reservations. */
  id: string;
  projectId: number;
  userId: number | null;
  /** What the ledger calls the operations of such runs. */
  operation: string;
  charges: readonly RunCharge[];
  /** Reservations of calls that are charged here, or that cost nothing. */
  settled: readonly string[];
  /** The end of a run drops all that it has reserved. */
  isEnded: boolean;
}

// One statement: the ledger, the reservations and the totals change together, each charge once.
const CHARGE = `
  with ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select $1::int, $2::uuid, l."nodeId", l.iteration, $3::int, $4::text, l.status, l."amountUsd", l.reason, l.description, l.usage,
           l."serviceUsd"
      from json_to_recordset($5::json) as l("nodeId" text, iteration text, status text, "amountUsd" numeric, reason text,
             description text, usage json, "serviceUsd" numeric)`,
  )}
    returning project_id, user_id, amount_usd, service_usd),
  ${freedSql('b.holder = $2::uuid and ($7 or b.id = any($6::uuid[]))')},
  ${RAISE_TOTALS}
  select 1`;

/** Writes what a run is charged, within the transaction that records it. Charging the same twice changes nothing. */
export async function chargeRun(sql: Sql, run: ChargedRun): Promise<void> {
  const { id, projectId, userId, operation, charges, settled, isEnded } = run;
  await sql.query(CHARGE, [projectId, id, userId, operation, JSON.stringify(charges), settled, isEnded]);
}

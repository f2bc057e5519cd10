import type { Table } from '../../platform/database/typed-queries.js';
import type { BillingTables } from '../billing/billing-tables.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import type { RunHourEntity } from './run-hour.entity.js';
import type { SpendingHourEntity } from './spending-hour.entity.js';
import type { SummaryProgressEntity } from './summary-progress.entity.js';

export interface SummaryTables extends Pick<BillingTables, 'billing_transaction'>, Pick<RunTables, 'workflow_run'> {
  project: { id: number; created_at: Date };
  run_hour: Table<typeof RunHourEntity>;
  spending_hour: Table<typeof SpendingHourEntity>;
  summary_progress: Table<typeof SummaryProgressEntity>;
}

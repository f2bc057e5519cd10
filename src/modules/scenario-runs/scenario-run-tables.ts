import type { Table } from '../../platform/database/typed-queries.js';
import type { ScenarioTables } from '../scenarios/scenario-tables.js';
import type { ScenarioRunEntity } from './scenario-run.entity.js';
import type { ScenarioRunFileEntity } from './scenario-run-file.entity.js';
import type { ScenarioRunJournalEntity } from './scenario-run-journal.entity.js';

/** The tables of scenario runs, and those of scenarios and their items, which this module only reads. */
export interface ScenarioRunTables extends ScenarioTables {
  scenario_run: Table<typeof ScenarioRunEntity>;
  scenario_run_file: Table<typeof ScenarioRunFileEntity>;
  scenario_run_journal: Table<typeof ScenarioRunJournalEntity>;
  /** Read-only. The entity cannot be imported, because its module depends on this one. */
  workflow_run: { id: string; run_finished_at: Date | null };
}

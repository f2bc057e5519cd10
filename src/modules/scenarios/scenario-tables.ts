import type { Table } from '../../platform/database/typed-queries.js';
import type { MessageTables } from '../messages/message-tables.js';
import type { PromptTables } from '../prompts/prompt-tables.js';
import type { VariableTables } from '../variables/variable-tables.js';
import type { Scenario } from './scenario.js';
import type { ScenarioMessageEntity } from './scenario-message.entity.js';

/** The tables of scenarios, and those of variables, prompts and messages, which this module only reads. */
export interface ScenarioTables extends VariableTables, PromptTables, MessageTables {
  scenario: Table<Scenario>;
  scenario_message: Table<typeof ScenarioMessageEntity>;
}

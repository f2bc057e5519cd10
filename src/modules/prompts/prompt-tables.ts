import type { Table } from '../../platform/database/typed-queries.js';
import type { Prompt } from './prompt.js';

export interface PromptTables {
  prompt: Table<Prompt>;
}

import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { KeyValueChangeEntity, KeyValueEntryEntity, KeyValueStoreEntity } from './key-value.entity.js';

/** Tables that the module's queries use. */
export interface KeyValueTables extends ProjectTables {
  key_value_store: Table<typeof KeyValueStoreEntity>;
  key_value_entry: Table<typeof KeyValueEntryEntity>;
  key_value_change: Table<typeof KeyValueChangeEntity>;
}

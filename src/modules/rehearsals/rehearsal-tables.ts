import type { Table } from '../../platform/database/typed-queries.js';
import type { RehearsalEntity, RehearsalEventEntity, RehearsalRunEntity } from './rehearsal.entity.js';

export interface RehearsalTables {
  rehearsal: Table<typeof RehearsalEntity>;
  rehearsal_run: Table<typeof RehearsalRunEntity>;
  rehearsal_event: Table<typeof RehearsalEventEntity>;
}

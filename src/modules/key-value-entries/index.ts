import { HOURLY } from '../../durable/scheduled-tasks.js';
import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { LabeledCounter } from '../../platform/metrics/labeled-counter.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { KeyValueChangeEntity, KeyValueEntryEntity, KeyValueStoreEntity } from './key-value.entity.js';
import { KeyValueEntryResolver } from './key-value-entry.resolver.js';
import { KeyValueEntryService } from './key-value-entry.service.js';
import { deleteOldKeyValues } from './key-value-retention.js';
import { ProjectKeyValues } from './project-key-values.js';
import { RunKeyValues } from './run-key-values.js';

/** Key-value stores of projects: values that workflows keep between runs. */
export const keyValueEntries = defineModule({
  name: 'key-value-entries',
  needs: { accounts, projects },
  entities: [KeyValueStoreEntity, KeyValueEntryEntity, KeyValueChangeEntity],
  resolvers: [KeyValueEntryResolver],
  create({ database, pageBytes }, { projects: { access } }) {
    const store = new ProjectKeyValues(database);
    const payloads = new ListPayloads<{ value: unknown }>(database, pageBytes, {
      table: 'key_value_entry',
      key: { column: 'id', type: 'uuid', member: 'id' },
      columns: { value: 'value' },
    });
    const operations = new LabeledCounter(['operation']);
    return {
      services: { runKeyValues: new RunKeyValues(store, operations) },
      resolvers: [new KeyValueEntryResolver(new KeyValueEntryService(store, access), payloads)],
      metrics: [
        {
          name: 'scenarium_key_value_operations_total',
          help: 'Operations of runs on the key-value stores of projects.',
          labels: ['operation'],
          isCounter: true,
          read: () => operations.samples(),
        },
      ],
      scheduledTasks: [{ name: 'deleting expired key values', cron: HOURLY, run: () => deleteOldKeyValues(database) }],
    };
  },
});

import { defineEntity, p } from '@mikro-orm/core';
import { ScenarioRunEntity } from './scenario-run.entity.js';

/** A file that a scenario run stored, such as a generated image. */
export const ScenarioRunFileEntity = defineEntity({
  name: 'ScenarioRunFile',
  tableName: 'scenario_run_file',
  properties: {
    resultFile: p.text().primary(),
    run: () => p.manyToOne(ScenarioRunEntity).deleteRule('cascade').foreignKeyName('scenario_run_file_run_id_fkey'),
    contentType: p.text(),
    size: p.bigint('number'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    projectId: p.integer().nullable(),
    /** Idempotency key of the paid call that created the file, and its usage. Null for files of earlier releases. */
    callKey: p.text().nullable(),
    usage: p.json<unknown>().columnType('json').nullable(),
  },
  indexes: [{ name: 'scenario_run_file_of_run', properties: ['run'] }],
});

import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { DocumentEntity } from '../documents/document.entity.js';
import { Project } from '../projects/project.js';
import { RecognitionStatus } from './recognition-run.js';

/** A recognition run: workers claim it, read its document and write chunks. */
export const RecognitionRunEntity = defineEntity({
  name: 'RecognitionRun',
  tableName: 'recognition_run',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('recognition_run_project_id_fkey'),
    document: () =>
      p.manyToOne(DocumentEntity).deleteRule('cascade').foreignKeyName('recognition_run_document_id_fkey'),
    createdBy: () =>
      p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('recognition_run_created_by_id_fkey'),
    state: p.enum(() => RecognitionStatus).default(RecognitionStatus.QUEUED),
    chunkSize: p.integer(),
    chunksCount: p.integer().default(0),
    progress: p.float().default(0),
    costUsd: p.decimal().columnType('numeric').default('0'),
    error: p.text().nullable(),
    attempts: p.integer().default(0),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    /** Position among the queued runs of all projects, which take turns. The start of a run sets it. */
    turn: p.integer().default(0),
    leaseToken: p.bigint('number').defaultRaw('0'),
  },
  indexes: [
    { name: 'recognition_run_created_by', properties: ['createdBy'] },
    { name: 'recognition_run_moved', properties: ['project', 'updatedAt'] },
    { name: 'recognition_run_of_document', properties: ['document'] },
    { name: 'recognition_run_of_project', properties: ['project', 'id'] },
    { name: 'recognition_run_open', properties: ['updatedAt'], where: `state in ('created', 'in_progress')` },
    { name: 'recognition_run_project_history', properties: ['project', 'createdAt', 'id'] },
    { name: 'recognition_run_turns', properties: ['turn'], where: `state = 'created'` },
    { name: 'recognition_run_turns_of_project', properties: ['project', 'turn'], where: `state = 'created'` },
  ],
});

import type { Table } from '../../platform/database/typed-queries.js';
import type { ProjectTables } from '../projects/project-tables.js';
import type { RunTables } from '../workflow-runs/run-tables.js';
import type { WorkflowTables } from '../workflows/workflow-tables.js';
import type { ConversationMessageEntity, TriggerConversationEntity } from './chat/conversation.entity.js';
import type { TriggerFiringEntity } from './trigger-firing.entity.js';
import type { WorkflowTriggerEntity } from './workflow-trigger.entity.js';

export interface TriggerTables extends ProjectTables, WorkflowTables, RunTables {
  workflow_trigger: Table<typeof WorkflowTriggerEntity>;
  trigger_conversation: Table<typeof TriggerConversationEntity>;
  conversation_message: Table<typeof ConversationMessageEntity>;
  trigger_firing: Table<typeof TriggerFiringEntity>;
}

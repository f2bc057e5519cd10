import { defineEntity, p } from '@mikro-orm/core';
import { WorkflowRevision } from '../workflow-revision.js';

/** The schema hash of an MCP tool, taken when the workflow is saved or at the first call. A changed tool is rejected. */
export const WorkflowRevisionToolPinEntity = defineEntity({
  name: 'WorkflowRevisionToolPin',
  tableName: 'workflow_revision_tool_pin',
  properties: {
    revision: () =>
      p
        .manyToOne(WorkflowRevision)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('workflow_revision_tool_pin_revision_id_fkey'),
    nodeId: p.text().primary(),
    tool: p.text().primary(),
    schemaHash: p.text(),
    seenAt: p.datetime(6).defaultRaw('now()'),
  },
});

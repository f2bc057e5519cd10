import type { Message } from '../modules/messages/message.js';
import type { AuditEntry } from '../modules/projects/audit/audit-entry.type.js';
import type { Project } from '../modules/projects/project.js';
import type { Prompt } from '../modules/prompts/prompt.js';
import type { Scenario } from '../modules/scenarios/scenario.js';
import type { Variable } from '../modules/variables/variable.js';
import type { AgentApproval } from '../modules/workflow-runs/api/agent-approval.type.js';
import type { Workflow } from '../modules/workflows/workflow.js';
import type { Database } from '../platform/database/database.js';
import { ListPayloads } from '../platform/lists/list-payloads.js';
import type { PageBytes } from '../platform/lists/page-bytes.js';

/** The large members of items of lists. */
export function createListPayloads(database: Database, pageBytes: PageBytes) {
  return {
    message: new ListPayloads<Pick<Message, 'parameters' | 'conditions'>>(database, pageBytes, {
      table: 'message',
      columns: { parameters: 'parameters', conditions: 'conditions' },
    }),
    prompt: new ListPayloads<Pick<Prompt, 'content' | 'promptConditions'>>(database, pageBytes, {
      table: 'prompt',
      columns: { content: 'content', promptConditions: 'prompt_conditions' },
    }),
    scenario: new ListPayloads<Pick<Scenario, 'readmeGuide'>>(database, pageBytes, {
      table: 'scenario',
      columns: { readmeGuide: 'readme_guide' },
    }),
    variable: new ListPayloads<Pick<Variable, 'variableNames'>>(database, pageBytes, {
      table: 'variable',
      columns: { variableNames: 'variable_names' },
    }),
    guide: new ListPayloads<Pick<Workflow, 'readmeGuide'>>(database, pageBytes, {
      table: 'workflow',
      columns: { readmeGuide: 'readme_guide' },
    }),
    stopwords: new ListPayloads<Required<Pick<Project, 'stopwords'>>>(database, pageBytes, {
      table: 'project',
      columns: { stopwords: 'stopwords' },
    }),
    approval: new ListPayloads<Required<Pick<AgentApproval, 'arguments'>>>(database, pageBytes, {
      table: 'workflow_run_approval',
      key: { column: 'id', type: 'uuid', member: 'requestId' },
      columns: { arguments: 'arguments' },
    }),
    auditEntry: new ListPayloads<Required<Pick<AuditEntry, 'detail'>>>(database, pageBytes, {
      table: 'audit_entry',
      key: { column: 'id', type: 'uuid', member: 'id' },
      columns: { detail: 'detail' },
    }),
  };
}

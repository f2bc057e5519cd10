import type { Database } from '../base/database.js';
import { ListPayloads } from '../base/list-payloads.js';
import type { PageBytes } from '../base/page-bytes.js';
import type { Message } from '../resources/messages/message.js';
import type { AuditEntry } from '../resources/projects/audit-entry.type.js';
import type { Project } from '../resources/projects/project.js';
import type { Prompt } from '../resources/prompts/prompt.js';
import type { Scenario } from '../resources/scenarios/scenario.js';
import type { Variable } from '../resources/variables/variable.js';
import type { AgentApproval } from '../resources/workflow-runs/agent-approval.type.js';
import type { Workflow } from '../resources/workflows/workflow.js';

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

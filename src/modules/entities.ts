import { ApiKey } from './accounts/api-keys/api-key.js';
import { User } from './accounts/users/user.js';
import { Category } from './categories/category.js';
import { Subcategory } from './categories/subcategory.js';
import { Message } from './messages/message.js';
import { ProjectMember } from './projects/members/project-member.js';
import { Project } from './projects/project.js';
import { Prompt } from './prompts/prompt.js';
import { Scenario } from './scenarios/scenario.js';
import { Variable } from './variables/variable.js';
import { Workflow } from './workflows/workflow.js';
import { WorkflowRevision } from './workflows/workflow-revision.js';

/** Every entity MikroORM manages. Runs, payloads, journal, ledger and the links of messages are written by statements of their own. */
export const ENTITIES = [
  User,
  ApiKey,
  Category,
  Subcategory,
  Project,
  ProjectMember,
  Variable,
  Prompt,
  Message,
  Scenario,
  Workflow,
  WorkflowRevision,
];

import { ApiKey } from './accounts/api-key.js';
import { User } from './accounts/user.js';
import { Project } from './projects/project.js';
import { ProjectMember } from './projects/project-member.js';
import { Workflow } from './workflows/workflow.js';
import { WorkflowRevision } from './workflows/workflow-revision.js';

/** Every entity MikroORM manages. Runs, payloads, journal and ledger are written by statements of their own. */
export const ENTITIES = [User, ApiKey, Project, ProjectMember, Workflow, WorkflowRevision];

import { M0001PeopleProjectsWorkflows } from './m0001-people-projects-workflows.js';
import { M0002WorkflowRuns } from './m0002-workflow-runs.js';
import { M0005Budgets } from './m0005-budgets.js';

/** Every migration in order. A released one is never changed: a correction is a new one. */
export const MIGRATIONS = [M0001PeopleProjectsWorkflows, M0002WorkflowRuns, M0005Budgets].map(migration => ({
  name: migration.name,
  class: migration,
}));

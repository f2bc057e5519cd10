import { M0001PeopleProjectsWorkflows } from './m0001-people-projects-workflows.js';
import { M0002WorkflowRuns } from './m0002-workflow-runs.js';
import { M0007People } from './m0007-people.js';

/** Every migration in order. A released one is never changed: a correction is a new one. */
export const MIGRATIONS = [M0001PeopleProjectsWorkflows, M0002WorkflowRuns, M0007People].map(migration => ({
  name: migration.name,
  class: migration,
}));

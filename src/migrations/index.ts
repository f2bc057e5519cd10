import { M0001PeopleProjectsWorkflows } from './m0001-people-projects-workflows.js';
import { M0002WorkflowRuns } from './m0002-workflow-runs.js';
import { M0004IdempotencyKeys } from './m0004-idempotency-keys.js';

/** Every migration in order. A released one is never changed: a correction is a new one. */
export const MIGRATIONS = [M0001PeopleProjectsWorkflows, M0002WorkflowRuns, M0004IdempotencyKeys].map(migration => ({
  name: migration.name,
  class: migration,
}));

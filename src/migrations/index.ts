import { M0001PeopleProjectsWorkflows } from './m0001-people-projects-workflows.js';
import { M0002WorkflowRuns } from './m0002-workflow-runs.js';
import { M0003WaitingRuns } from './m0003-waiting-runs.js';
import { M0004IdempotencyKeys } from './m0004-idempotency-keys.js';
import { M0006ToolPins } from './m0006-tool-pins.js';
import { M0012Documents } from './m0012-documents.js';

/** Every migration in order. A released one is never changed: a correction is a new one. */
export const MIGRATIONS = [
  M0001PeopleProjectsWorkflows,
  M0002WorkflowRuns,
  M0003WaitingRuns,
  M0004IdempotencyKeys,
  M0006ToolPins,
  M0012Documents,
].map(migration => ({ name: migration.name, class: migration }));

import { ADVISORY_LOCKS } from '../../base/advisory-locks.js';
import { Positions } from '../projects/positions.js';

/** The order of the unarchived workflows of a project. */
export const WORKFLOW_POSITIONS = new Positions({
  table: 'workflow',
  scope: 'project_id',
  counted: 'archived_at is null',
  lock: ADVISORY_LOCKS.workflowPositions,
});

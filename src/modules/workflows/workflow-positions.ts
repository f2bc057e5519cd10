import { ADVISORY_LOCKS } from '../../platform/sql/advisory-locks.js';
import { Positions } from '../projects/parts/positions.js';

/** The order of the unarchived workflows of a project. */
export const WORKFLOW_POSITIONS = new Positions({
  table: 'workflow',
  scope: 'project_id',
  absent: 'archived_at',
  lock: ADVISORY_LOCKS.workflowPositions,
});

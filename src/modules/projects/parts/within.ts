import type { Viewer } from '../../accounts/viewer.js';
import { visibleSql } from '../access.js';

/** Where the ids that an input names must lie: in one project, or in any that the viewer sees. */
export type Within = { project: number } | { viewer: Viewer };

/** SQL condition that the project of `column` lies within; its values are appended to `values`. */
export function withinSql(column: string, within: Within, values: unknown[]): string {
  if ('project' in within) return `${column} = $${values.push(within.project)}`;
  const user = `$${values.push(within.viewer.userId)}`;
  return visibleSql(column, user, `$${values.push(within.viewer.isAdmin)}`);
}

export const DOES_NOT_EXIST = 'Object does not exist.';

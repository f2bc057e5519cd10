import { expression } from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import { viewersRole } from '../access.js';

/** Where the ids that an input names must lie: in one project, or in any that the viewer sees. */
export type PartScope = { project: number } | { viewer: Viewer };

/** The condition that the project of `column` lies within. */
export function liesWithin(column: string, within: PartScope) {
  if ('project' in within) return expression<boolean>`${expression.ref(column)} = ${within.project}`;
  return expression<boolean>`${viewersRole(within.viewer, column)} is not null`;
}

export const DOES_NOT_EXIST = 'Object does not exist.';

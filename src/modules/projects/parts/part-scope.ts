import { expression } from '../../../platform/database/typed-queries.js';
import type { Viewer } from '../../accounts/viewer.js';
import { viewersRole } from '../access.js';

/** Where the objects that an input refers to must be: in one project, or in any project that the viewer may read. */
export type PartScope = { projectId: number } | { viewer: Viewer };

/** Returns the condition that the project of `column` is in the scope. */
export function isInScope(column: string, scope: PartScope) {
  if ('projectId' in scope) return expression<boolean>`${expression.ref(column)} = ${scope.projectId}`;
  return expression<boolean>`${viewersRole(scope.viewer, column)} is not null`;
}

/** The same message for objects that do not exist and for objects that the viewer cannot access. */
export const DOES_NOT_EXIST = 'Object does not exist.';

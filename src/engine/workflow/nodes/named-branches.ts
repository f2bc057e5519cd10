import { z } from 'zod';
import type { JsonObject } from '../../json-value.js';
import type { Branch } from '../graph/node-kind.js';

/** Setting `<handle>_nodes` for the targets of a branch. */
export function branchTargets(handle: string) {
  return z
    .array(z.string())
    .nullish()
    .describe(`UUIDs of the next nodes if ${handle}. Absent: the targets of the edges with the handle \`${handle}\`.`);
}

/** Returns the branches of a node whose targets are in the members `<handle>_nodes`. */
export function namedBranches(handles: readonly string[], data: JsonObject): Branch[] {
  return handles.map(handle => ({ handle, member: `${handle}_nodes`, targets: data[`${handle}_nodes`] }));
}

import { textOf } from '../../engine/json-value.js';
import { isOfProject, referencesOf } from '../../engine/workflow/graph/references.js';
import type { WorkflowReach } from './workflow-reach.type.js';

const MAX_CHARACTERS = 255;

/** Every host, model and tool that the nodes of a graph use, those in bodies of loops included. */
export function reachOf(data: Record<string, unknown>): WorkflowReach[] {
  return referencesOf(data).flatMap(reference => {
    if (isOfProject(reference)) return [];
    const { nodeId, path, value, kind } = reference;
    const values = Array.isArray(value) ? value : [value ?? ''];
    return values.map(each => {
      const text = kind === 'host' ? hostOf(textOf(each)) : textOf(each);
      return { nodeId, path, kind, value: text.slice(0, MAX_CHARACTERS) } as WorkflowReach;
    });
  });
}

/** Without scheme, user, path and query; of an address that a placeholder begins all of it but the query. */
function hostOf(url: string): string {
  const scheme = url.indexOf('://');
  const isAbsolute = scheme > 0 && !url.slice(0, scheme).includes('{{');
  const address = isAbsolute ? url.slice(scheme + 3).split(/[/?#]/, 1)[0]! : url.split(/[?#]/, 1)[0]!;
  return address.slice(address.lastIndexOf('@') + 1).trim();
}

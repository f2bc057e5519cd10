import { textOf } from '../../engine/json-value.js';
import { isOfProject, referencesOf } from '../../engine/workflow/graph/references.js';
import type { WorkflowReach } from './workflow-reach.type.js';

const MAX_CHARACTERS = 255;

/** Returns the hosts, models and tools that the nodes of a graph use, including nodes in loop bodies. */
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

/**
 * Returns the host and port of a URL. If a placeholder determines the start of the URL, returns everything
 * except the query.
 */
function hostOf(url: string): string {
  // A placeholder with a list or an object may contain credentials.
  if (/^\s*\{\{\s*[[{]/.test(url)) return '{{ … }}';
  const scheme = url.indexOf('://');
  const isAbsolute = scheme > 0 && !url.slice(0, scheme).includes('{{');
  const address = isAbsolute ? url.slice(scheme + 3).split(/[/?#]/, 1)[0]! : url.split(/[?#]/, 1)[0]!;
  return address.slice(address.lastIndexOf('@') + 1).trim();
}

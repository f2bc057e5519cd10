import { isObject, isShallow, MAX_DEPTH } from '../../json-value.js';

/** Returns the faults that prevent saving `data` as a draft, each with its member; empty: it can be saved. */
export function wellFormedFaults(data: unknown): string[] {
  if (!isObject(data)) return ['must be an object'];
  if (!isShallow(data)) return [`must be nested at most ${MAX_DEPTH} deep`];
  return [
    ...listFaults(data.nodes, 'nodes', nodeFaults),
    ...listFaults(data.edges, 'edges', edgeFaults),
    ...otherFaults(data),
  ];
}

const MAX_FAULTS = 20;

function listFaults(list: unknown, member: string, faultsOf: (item: Record<string, unknown>) => string[]): string[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) return [`${member} must be a list`];
  const faults: string[] = [];
  for (const [index, item] of list.entries()) {
    if (!isObject(item)) faults.push(`${member}.${index} must be an object`);
    else for (const fault of faultsOf(item)) faults.push(`${member}.${index}.${fault}`);
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults;
}

function nodeFaults({ id, type, position, data }: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (typeof id !== 'string' || id === '') faults.push('id must be a text');
  if (type !== undefined && typeof type !== 'string') faults.push('type must be a text');
  if (position !== undefined && !hasNumbers(position, ['x', 'y']))
    faults.push('position must have the numbers x and y');
  if (data !== undefined && !isObject(data)) faults.push('data must be an object');
  return faults;
}

function edgeFaults(edge: Record<string, unknown>): string[] {
  return ['id', 'source', 'target'].flatMap(member =>
    edge[member] === undefined || typeof edge[member] === 'string' ? [] : [`${member} must be a text`],
  );
}

function otherFaults({ viewport, start_node }: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (viewport !== undefined && viewport !== null && !hasNumbers(viewport, ['x', 'y', 'zoom'])) {
    faults.push('viewport must have the numbers x, y and zoom');
  }
  if (start_node !== undefined && start_node !== null && typeof start_node !== 'string') {
    faults.push('start_node must be a text');
  }
  return faults;
}

/** An empty object is valid, because front ends send one before the first layout. */
function hasNumbers(value: unknown, members: readonly string[]): boolean {
  return isObject(value) && members.every(member => value[member] === undefined || Number.isFinite(value[member]));
}

import { Content } from '../../expressions/scope.js';
import { defaultContentOf, type Policy } from '../graph/common-members.js';
import type { GraphNode } from '../graph/graph.js';
import { ERROR_HANDLE, selectedBranch } from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';
import type { NodeFailure } from './node-failure.js';

/** How the run continues after the failure of a node. */
export interface Continuation {
  /** Content of the failed node; undefined: it has none. */
  content: Content | undefined;
  /** Handle of the output that is followed; undefined: none. */
  handle: string | undefined;
}

/** Returns how the run continues after a failure of the node; undefined: the failure ends the run. */
export function continuationOf(node: GraphNode): Continuation | undefined {
  const { kind, data } = node;
  switch (prepareNode(node).policy.onError) {
    case 'continue':
      return emptyContinuation(node);
    case 'branch':
      return { content: undefined, handle: ERROR_HANDLE };
    case 'default': {
      const content = defaultContentOf(data);
      return { content: new Content(content), handle: kind.branches ? selectedBranch(kind, content, data) : '' };
    }
    default:
      return undefined;
  }
}

/** Continues with the empty content. A failed node with branches selects none of them. */
export function emptyContinuation({ kind }: GraphNode): Continuation {
  return { content: new Content(''), handle: kind.branches ? undefined : '' };
}

/** Returns true if the policy permits another attempt after a failure. */
export function permitsRetry({ attempts, retriedCodes }: Policy, attempt: number, failure: NodeFailure): boolean {
  if (failure.isFinal || attempt >= attempts) return false;
  return retriedCodes === null || retriedCodes.includes(failure.error.code);
}

/** Returns the delay after a failed attempt in milliseconds. `seed` determines the jitter. */
export function retryDelayMs(policy: Policy, attempt: number, seed: string): number {
  const factor = policy.isExponential ? 2 ** (attempt - 1) : 1;
  const delay = Math.min(policy.delayMs * factor, policy.maxDelayMs);
  return policy.hasJitter ? Math.round(delay * (1 - fractionOf(seed) / 2)) : delay;
}

/** FNV-1a with the finalizer of MurmurHash3, as a fraction from 0 to 1. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

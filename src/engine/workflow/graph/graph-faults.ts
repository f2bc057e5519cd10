/** Codes of structural faults. */
export type GraphFaultCode =
  | 'malformed'
  | 'no_nodes'
  | 'no_start_node'
  | 'unknown_node_type'
  | 'duplicate_node_id'
  | 'dangling_edge'
  | 'dangling_next_node'
  | 'cycle';

/** Location of a structural fault in a workflow's `data`. */
export interface GraphPlace {
  node_id?: string;
  edge_id?: string;
  path?: string;
}

/** One structural fault. */
export interface GraphIssue {
  readonly code: GraphFaultCode;
  readonly message: string;
  readonly place: GraphPlace;
}

/** Further faults are not collected. */
const MAX_ISSUES = 100;

/** Collects the structural faults of a graph, so that its author gets them in one response. */
export class GraphFaults {
  readonly #issues: GraphIssue[] = [];

  add(code: GraphFaultCode, message: string, place: GraphPlace = {}): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ code, message, place });
  }

  /** The faults so far; undefined: none. */
  get found(): readonly [GraphIssue, ...GraphIssue[]] | undefined {
    const [first, ...others] = this.#issues;
    return first && [first, ...others];
  }
}

/** Names a node that a graph refers to and does not have. */
export function missingNode(id: string): string {
  return `the node ${JSON.stringify(id.slice(0, 100))}, which does not exist`;
}

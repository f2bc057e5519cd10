import type { Graph } from './graph.js';

/** Codes of structural faults. */
export type GraphFault =
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
  readonly code: GraphFault;
  readonly message: string;
  readonly place: GraphPlace;
}

/** Further faults are not collected. */
const MAX_ISSUES = 100;

/** The structure of a graph is invalid. A run of it is rejected with the inner status 400. */
export class GraphError extends Error {
  readonly status = 400;
  readonly code: GraphFault;
  readonly place: GraphPlace;
  /** All faults, at most 100. Code, message and place of the error are those of the first. */
  readonly issues: readonly [GraphIssue, ...GraphIssue[]];

  constructor(
    issues: readonly [GraphIssue, ...GraphIssue[]],
    /** The valid nodes of each level with faults: those of the graph itself first, then those of loop bodies. */
    readonly parts: readonly Graph[],
  ) {
    super(issues[0].message);
    this.name = 'GraphError';
    this.code = issues[0].code;
    this.place = issues[0].place;
    this.issues = issues;
  }
}

/** Collects the structural faults of a graph, so that its author gets them in one response. */
export class GraphFaults {
  readonly #issues: GraphIssue[] = [];
  readonly #parts: Graph[] = [];

  add(code: GraphFault, message: string, place: GraphPlace = {}): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ code, message, place });
  }

  /** Adds the faults of a loop body. `placeOf` locates a fault in the enclosing graph. */
  addBody({ issues, parts }: GraphError, placeOf: (place: GraphPlace) => GraphPlace): void {
    for (const { code, message, place } of issues) this.add(code, `in the loop body: ${message}`, placeOf(place));
    this.#parts.push(...parts);
  }

  /** Throws a GraphError if there are faults. `part` are the valid nodes. */
  throwIfAny(part?: () => Graph): void {
    const [first, ...others] = this.#issues;
    if (first) throw new GraphError([first, ...others], [...(part ? [part()] : []), ...this.#parts]);
  }
}

/** Names a node that a graph refers to and does not have. */
export function missingNode(id: string): string {
  return `the node ${JSON.stringify(id.slice(0, 100))}, which does not exist`;
}

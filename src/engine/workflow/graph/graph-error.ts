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

/** The structure of a graph is invalid. A run of it is rejected with the inner status 400. */
export class GraphError extends Error {
  readonly status = 400;

  constructor(
    readonly code: GraphFault,
    message: string,
    readonly place: GraphPlace = {},
  ) {
    super(message);
    this.name = 'GraphError';
  }
}

export type GraphFault =
  | 'malformed'
  | 'no_nodes'
  | 'no_start_node'
  | 'unknown_node_type'
  | 'duplicate_node_id'
  | 'dangling_edge'
  | 'dangling_next_node'
  | 'cycle';

/** Where in a workflow's `data` a structural fault lies. */
export interface GraphPlace {
  node_id?: string;
  edge_id?: string;
  path?: string;
}

/** The structure is broken: a run of it is refused with the inner status 400. */
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

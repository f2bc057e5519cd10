import { chain, type Json, node, output, trigger } from '../../support/graphs.js';
import type { Ids } from './ids.js';

export interface HiddenIdRequest {
  method?: string;
  path?: string;
  body?: unknown;
  /** GraphQL document. Present: it is sent to /graphql instead of `path`. */
  graphql?: string;
}

/**
 * A title, and a request that names an id of `other`, in some cases together with an id of `mine`. The response must be the
 * same whether `other` belongs to another project or does not exist.
 */
export type HiddenIdCase = [title: string, buildRequest: (other: Ids, mine: Ids) => HiddenIdRequest];

/** trigger → sub-workflow node with the settings `more` → output. */
export const callingGraph = (more: Json) => chain(trigger(), node('subworkflow-node', more, 'call'), output());

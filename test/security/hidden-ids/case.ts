import { chain, type Json, node, output, trigger } from '../../support/graphs.js';
import type { Ids } from './ids.js';

export interface HiddenIdRequest {
  method?: string;
  path?: string;
  body?: unknown;
  query?: string;
}

/** A title, and a request that names an id of `other`, in some cases together with an id of `mine`. */
export type HiddenIdCase = [title: string, ask: (other: Ids, mine: Ids) => HiddenIdRequest];

/** A graph whose one node calls a workflow. */
export const callingGraph = (more: Json) => chain(trigger(), node('subworkflow-node', more, 'call'), output());

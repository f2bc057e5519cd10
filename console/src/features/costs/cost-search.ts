import { type ListSearch, listSearch, oneOf } from '@/shared/lists/list-search';
import { GROUPS, type GroupName } from './cost-groups';
import { type RangeSearch, rangeSearch } from './cost-range';

export interface CostSearch extends RangeSearch, ListSearch {
  /** The tab. Absent: the overview. */
  view?: 'ledger';
  /** The groups of the overview. */
  by?: GroupName;
  /** A node type, for example `basic-node`, or `chat-completion`. */
  operation?: string;
  status?: 'SUCCEEDED' | 'FAILED';
  /** Only charges of chat completions. */
  source?: 'chat';
}

/** Parses the search parameters of the URL. Invalid values are omitted. */
export function costSearch(search: Record<string, unknown>): CostSearch {
  const operation = typeof search.operation === 'string' ? search.operation : undefined;
  return {
    ...listSearch(search),
    ...rangeSearch(search),
    view: oneOf(search.view, ['ledger']),
    by: oneOf(
      search.by,
      GROUPS.map(({ value }) => value),
    ),
    operation,
    status: oneOf(search.status, ['SUCCEEDED', 'FAILED']),
    source: oneOf(search.source, ['chat']),
  };
}

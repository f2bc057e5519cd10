import type { ListSearch } from '@/shared/lists/list-search';

export const WORKFLOW_SORTS = ['POSITION', 'TITLE_ASC', 'UPDATED_AT_DESC', 'CREATED_AT_DESC'] as const;

/** The search parameters of the list of workflows. */
export interface WorkflowSearch extends ListSearch {
  /** Whether the dialog of a new workflow is open. */
  create?: boolean;
  /** The id of a category. */
  category?: number;
  /** A language code. */
  language?: string;
  sort?: (typeof WORKFLOW_SORTS)[number];
  /** Whether the order is changed by hand. */
  arrange?: boolean;
}

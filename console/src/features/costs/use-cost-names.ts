import { useWholeList } from '@/shared/lists/whole-list';
import { useMemberChoices, useWorkflowChoices } from '@/shared/project/use-choices';
import { CostApiKeysDocument, type CostApiKeysQuery } from './costs.generated';

/** The names of what costs are grouped by, as far as they have loaded. */
export interface CostNames {
  workflows: ReturnType<typeof useWorkflowChoices>;
  members: ReturnType<typeof useMemberChoices>;
  apiKeys: CostApiKeysQuery['apiKeys']['items'];
}

export function useCostNames(): CostNames {
  const { items: apiKeys } = useWholeList(CostApiKeysDocument, 'apiKeys', { variables: {} });
  return { workflows: useWorkflowChoices(), members: useMemberChoices(), apiKeys };
}

import { useQuery } from '@apollo/client/react';
import { useMemberChoices, useWorkflowChoices } from '@/shared/project/use-choices';
import { CostNamesDocument, type CostNamesQuery } from './costs.generated';

/** The names of what costs are grouped by, as far as they have loaded. */
export interface CostNames {
  workflows: ReturnType<typeof useWorkflowChoices>;
  members: ReturnType<typeof useMemberChoices>;
  apiKeys: CostNamesQuery['apiKeys']['items'];
}

export function useCostNames(): CostNames {
  const { data } = useQuery(CostNamesDocument);
  return { workflows: useWorkflowChoices(), members: useMemberChoices(), apiKeys: data?.apiKeys.items ?? [] };
}

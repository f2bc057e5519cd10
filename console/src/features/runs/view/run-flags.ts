import { useAction } from '@/shared/forms/use-action';
import { useProjectRole } from '@/shared/project/use-role';
import { SetApiRunDocument, SetExampleRunDocument, SetTemplateRunDocument } from './actions.generated';
import type { RunDetailsFragment } from './run.generated';

export interface RunFlag {
  /** The title of the flag, for example "API run". */
  label: string;
  isSet: boolean;
  toggle: () => Promise<unknown>;
}

const CHANGE = { failure: 'Not changed' };

/** The flags of a run that the user may change. Empty for a run of a graph without a workflow. Those of the marketplace are for admins. */
export function useRunFlags(run: RunDetailsFragment): RunFlag[] {
  const { id, workflowId, isApiRun, useAsMarketplaceTemplate, useInMarketplaceExample, state } = run;
  const { run: setApi } = useAction(SetApiRunDocument, CHANGE);
  const { run: setTemplate } = useAction(SetTemplateRunDocument, CHANGE);
  const { run: setExample } = useAction(SetExampleRunDocument, CHANGE);
  const { isAdmin } = useProjectRole();
  if (workflowId === null || !run.project.canEdit || state !== 'SUCCEEDED') return [];
  const flag = (
    label: string,
    isSet: boolean,
    set: (variables: { id: string; workflowId: number; isSet: boolean }) => Promise<unknown>,
  ): RunFlag => ({
    label,
    isSet,
    toggle: () => set({ id, workflowId, isSet: !isSet }),
  });
  return [
    flag('API run', isApiRun, setApi),
    ...(isAdmin
      ? [
          flag('marketplace template', useAsMarketplaceTemplate, setTemplate),
          flag('marketplace example', useInMarketplaceExample, setExample),
        ]
      : []),
  ];
}

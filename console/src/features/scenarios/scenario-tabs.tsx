import { SectionTabs } from '@/shared/layout/section-tabs';
import { useProjectId } from '@/shared/project/use-project';

/** Links between the screens of scenarios. */
export function ScenarioTabs() {
  const params = { projectId: String(useProjectId()) };
  return (
    <SectionTabs
      label="Scenarios"
      tabs={[
        { label: 'Scenarios', to: '/projects/$projectId/scenarios', params },
        { label: 'Prompts', to: '/projects/$projectId/scenarios/prompts', params },
        { label: 'Variables', to: '/projects/$projectId/scenarios/variables', params },
      ]}
    />
  );
}

import { SectionTabs } from '@/shared/layout/section-tabs';
import { useProjectId } from '@/shared/project/use-project';

/** Links between the screens of keywords. */
export function KeywordTabs() {
  const params = { projectId: String(useProjectId()) };
  return (
    <SectionTabs
      label="Keywords"
      tabs={[
        { label: 'Runs', to: '/projects/$projectId/keywords', params },
        { label: 'Stopwords', to: '/projects/$projectId/keywords/stopwords', params },
      ]}
    />
  );
}

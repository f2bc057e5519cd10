import { SectionTabs } from '@/shared/layout/section-tabs';
import { useProjectId } from '@/shared/project/use-project';

/** The tabs of the two screens about documents. */
export function DocumentTabs() {
  const params = { projectId: String(useProjectId()) };
  return (
    <SectionTabs
      label="Documents"
      tabs={[
        { label: 'Files', to: '/projects/$projectId/documents', params },
        { label: 'Try a search', to: '/projects/$projectId/documents/search', params },
      ]}
    />
  );
}

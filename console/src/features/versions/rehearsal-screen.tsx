import { Anchor } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { PageHeader } from '@/shared/layout/page-header';
import { useProjectId } from '@/shared/project/use-project';
import { RehearsalView } from './rehearsal-view';

/** One rehearsal of a workflow. */
export function RehearsalScreen() {
  const { workflowId, rehearsalId } = useParams({ strict: false }) as { workflowId: string; rehearsalId: string };
  const params = { projectId: String(useProjectId()), workflowId };
  const link = (
    <Anchor
      renderRoot={each => <Link {...each} to="/projects/$projectId/workflows/$workflowId/versions" params={params} />}
    >
      Versions
    </Anchor>
  );
  return (
    <>
      <PageHeader
        title="Rehearsal"
        description="Recorded runs with another graph. Unchanged requests take their recorded answers."
        trail={[{ label: 'versions', link }]}
      />
      <RehearsalView id={rehearsalId} />
    </>
  );
}

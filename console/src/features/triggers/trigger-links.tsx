import { Link } from '@tanstack/react-router';
import { useProjectId } from '@/shared/project/use-project';

// Links to the screens of objects, for `renderRoot` of an anchor.

export function TriggerLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), triggerId: String(id) };
  return <Link {...props} to="/projects/$projectId/triggers/$triggerId" params={params} />;
}

export function RunLink({ id, ...props }: { id: string }) {
  const params = { projectId: String(useProjectId()), runId: id };
  return <Link {...props} to="/projects/$projectId/runs/$runId" params={params} />;
}

export function WorkflowTriggersLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return <Link {...props} to="/projects/$projectId/workflows/$workflowId/triggers" params={params} />;
}

export function EditorLink({ id, ...props }: { id: number }) {
  const params = { projectId: String(useProjectId()), workflowId: String(id) };
  return <Link {...props} to="/projects/$projectId/workflows/$workflowId" params={params} />;
}

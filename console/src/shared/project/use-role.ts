import { useQuery } from '@apollo/client/react';
import { ProjectRoleDocument } from './role.generated';
import { useProjectId } from './use-project';

/**
 * The rights of the viewer in the project of the address. Administrators of the service have those of an owner. None while they load.
 * They decide only about buttons: the service checks each request.
 */
export function useProjectRole(): { isEditor: boolean; isAdmin: boolean; isOwner: boolean; userId: number | null } {
  const { data } = useQuery(ProjectRoleDocument, { variables: { projectId: useProjectId() } });
  if (!data?.me) return { isEditor: false, isAdmin: false, isOwner: false, userId: null };
  const role = data.projectMembers.items.find(({ userId }) => userId === data.me?.id)?.role;
  const isOwner = data.me.isAdmin || role === 'OWNER';
  const isAdmin = isOwner || role === 'ADMIN';
  return { isEditor: isAdmin || role === 'EDITOR', isAdmin, isOwner, userId: data.me.id };
}

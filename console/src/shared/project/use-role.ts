import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { ProjectRoleDocument } from './role.generated';
import { useProjectId } from './use-project';

/** Members of one page: the largest page of the API. */
const PAGE_SIZE = 100;

/**
 * The rights of the viewer in the project of the address. Administrators of the service have those of an owner. None while they load.
 * They decide only about buttons: the service checks each request.
 */
export function useProjectRole(): { isEditor: boolean; isAdmin: boolean; isOwner: boolean; userId: number | null } {
  const projectId = useProjectId();
  const [position, setPosition] = useState({ projectId, page: 1 });
  const page = position.projectId === projectId ? position.page : 1;
  const { data } = useQuery(ProjectRoleDocument, { variables: { projectId, page } });
  const me = data?.me;
  const role = data?.projectMembers.items.find(({ userId }) => userId === me?.id)?.role;
  const total = data?.projectMembers.total ?? 0;
  const isOnLaterPage = me?.isAdmin === false && role === undefined && page * PAGE_SIZE < total;
  useEffect(() => {
    if (isOnLaterPage) setPosition({ projectId, page: page + 1 });
  }, [isOnLaterPage, projectId, page]);
  if (!me) return { isEditor: false, isAdmin: false, isOwner: false, userId: null };
  const isOwner = me.isAdmin || role === 'OWNER';
  const isAdmin = isOwner || role === 'ADMIN';
  return { isEditor: isAdmin || role === 'EDITOR', isAdmin, isOwner, userId: me.id };
}

import { useWholeList } from '@/shared/lists/whole-list';
import {
  CategoryChoicesDocument,
  type CategoryChoicesQuery,
  ConnectionChoicesDocument,
  type ConnectionChoicesQuery,
  DocumentChoicesDocument,
  type DocumentChoicesQuery,
  MemberChoicesDocument,
  type MemberChoicesQuery,
  ProjectChoicesDocument,
  type ProjectChoicesQuery,
  WorkflowChoicesDocument,
  type WorkflowChoicesQuery,
} from './choices.generated';
import { useProjectId } from './use-project';

// Each hook loads a whole list page by page and returns the items that have loaded.

interface Options {
  skip?: boolean;
}

type ProjectChoices = ProjectChoicesQuery['projects']['items'];

/** The projects of the viewer by name. No further page loads while `isEnough` returns true for the loaded projects. */
export function useProjectChoices(options: { isEnough?: (projects: ProjectChoices) => boolean } = {}): ProjectChoices {
  return useWholeList(ProjectChoicesDocument, 'projects', { variables: {}, ...options }).items;
}

/** The categories of the service by name. */
export function useCategoryChoices(options: Options = {}): CategoryChoicesQuery['categories']['items'] {
  return useWholeList(CategoryChoicesDocument, 'categories', { variables: {}, ...options }).items;
}

/** The workflows of the project in the address. */
export function useWorkflowChoices(options: Options = {}): WorkflowChoicesQuery['workflows']['items'] {
  const variables = { projectId: useProjectId() };
  return useWholeList(WorkflowChoicesDocument, 'workflows', { variables, ...options }).items;
}

/** The members of the project in the address. */
export function useMemberChoices(options: Options = {}): MemberChoicesQuery['projectMembers']['items'] {
  const variables = { projectId: useProjectId() };
  return useWholeList(MemberChoicesDocument, 'projectMembers', { variables, ...options }).items;
}

/** The connections of the project in the address. */
export function useConnectionChoices(options: Options = {}): ConnectionChoicesQuery['projectConnections']['items'] {
  const variables = { projectId: useProjectId() };
  return useWholeList(ConnectionChoicesDocument, 'projectConnections', { variables, ...options }).items;
}

/** The documents of the project in the address. */
export function useDocumentChoices(): DocumentChoicesQuery['documents']['items'] {
  const variables = { projectId: useProjectId() };
  return useWholeList(DocumentChoicesDocument, 'documents', { variables }).items;
}

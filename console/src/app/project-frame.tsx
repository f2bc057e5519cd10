import type { TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { Outlet, useLocation, useParams, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useProjectId } from '@/shared/project/use-project';
import {
  ProjectOfDocumentDocument,
  ProjectOfKeywordRunDocument,
  ProjectOfRunDocument,
  ProjectOfScenarioDocument,
  ProjectOfScenarioRunDocument,
  ProjectOfTriggerDocument,
  ProjectOfWorkflowDocument,
} from './object-project.generated';

interface ObjectProject {
  object: { projectId: number } | { project: { id: number } } | null;
}

type ProjectQuery = TypedDocumentNode<ObjectProject, { id: number | string }>;

/** The queries for the project of an object, by the parameter of the address that has its id. */
const QUERIES = {
  workflowId: ProjectOfWorkflowDocument as ProjectQuery,
  runId: ProjectOfRunDocument as ProjectQuery,
  triggerId: ProjectOfTriggerDocument as ProjectQuery,
  scenarioId: ProjectOfScenarioDocument as ProjectQuery,
  scenarioRunId: ProjectOfScenarioRunDocument as ProjectQuery,
  documentId: ProjectOfDocumentDocument as ProjectQuery,
  keywordRunId: ProjectOfKeywordRunDocument as ProjectQuery,
};
type Parameter = keyof typeof QUERIES;

/** The screens of a project. An address of an object of another project is replaced by the one in that project. */
export function ProjectFrame() {
  const projectId = useProjectId();
  const ownProjectId = useObjectProjectId();
  const { history } = useRouter();
  const { href } = useLocation();
  useEffect(() => {
    if (ownProjectId === null || ownProjectId === projectId) return;
    history.replace(href.replace(/^\/projects\/\d+/, `/projects/${ownProjectId}`));
  }, [ownProjectId, projectId, href, history]);
  return <Outlet />;
}

/** The id of the project of the object in the address. Null: the address has no object, or it is not known yet or invisible. */
function useObjectProjectId(): number | null {
  const params = useParams({ strict: false }) as Partial<Record<Parameter, string>>;
  const parameter = (Object.keys(QUERIES) as Parameter[]).find(name => params[name] !== undefined);
  const id = parameter === undefined ? '' : (params[parameter] ?? '');
  const { data } = useQuery(QUERIES[parameter ?? 'workflowId'], {
    variables: { id: parameter === 'runId' ? id : Number(id) },
    skip: parameter === undefined,
    // The project of an object never changes.
    fetchPolicy: 'cache-first',
  });
  const object = data?.object;
  if (!object) return null;
  return 'projectId' in object ? object.projectId : object.project.id;
}

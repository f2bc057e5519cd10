import { registerEnumType } from 'type-graphql';
import type { Database } from '../../../platform/database/database.js';
import { ConflictError, InvalidInputError } from '../../../platform/errors/errors.js';
import type { Viewer } from '../../accounts/viewer.js';
import { type LocatedWorkflow, locateWorkflow } from '../../workflows/locate-workflow.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRun } from '../history/workflow-run.js';

/** The revision that a repeated run executes. */
export enum WorkflowRunRevision {
  ORIGINAL = 'original',
  SAVED = 'saved',
  PUBLISHED = 'published',
}
registerEnumType(WorkflowRunRevision, {
  name: 'WorkflowRunRevision',
  description: 'The revision that a repeated run executes.',
  valuesConfig: {
    ORIGINAL: { description: 'The revision of the earlier run.' },
    SAVED: { description: 'The revision that was saved last: the draft if the project uses drafts.' },
    PUBLISHED: { description: 'The revision that new runs use: the published one if the project uses drafts.' },
  },
});

/** A revision by its role or by its number. Neither: the one of the earlier run. */
export interface RevisionChoice {
  revision?: WorkflowRunRevision | null | undefined;
  revisionNumber?: number | null | undefined;
}

export const REUSE_RESULTS =
  'True: reuses results like `workflowRunFork` without `nodeId`. Default false: executes all nodes.';
export const REVISION = 'Revision to execute. Default: that of the earlier run.';
export const REVISION_NUMBER = 'Number of the revision to execute, instead of `revision`.';

/** Returns the members that are given, so that requests without them keep their idempotency digest. */
export function choiceOf(revision: RevisionChoice['revision'], revisionNumber: RevisionChoice['revisionNumber']) {
  return { ...(revision == null ? {} : { revision }), ...(revisionNumber == null ? {} : { revisionNumber }) };
}

/** Returns true if the choice names another revision than that of the earlier run. */
export function namesOtherRevision({ revision, revisionNumber }: RevisionChoice): boolean {
  return revisionNumber != null || (revision != null && revision !== WorkflowRunRevision.ORIGINAL);
}

/**
 * Returns the revision that a repetition of a run executes.
 * @throws InvalidInputError for contradicting choices, a number that does not exist and a run without a workflow
 * @throws ConflictError when no revision is published
 */
export async function loadChosenRevision(
  { database, revisions }: { database: Database; revisions: RevisionStore },
  viewer: Viewer,
  original: Pick<WorkflowRun, 'workflowId' | 'revisionId'>,
  choice: RevisionChoice,
): Promise<Revision> {
  const { revision, revisionNumber } = choice;
  if (revision != null && revisionNumber != null)
    throw new InvalidInputError({ revisionNumber: ['Send either `revision` or `revisionNumber`.'] });
  if (!namesOtherRevision(choice)) return revisions.get(original.revisionId);
  if (original.workflowId === null)
    throw new InvalidInputError({ revision: ['This run has no workflow, so it has only its own revision.'] });
  const workflow = await locateWorkflow(database, viewer, original.workflowId, 'workflow.run');
  if (revisionNumber == null && revision === WorkflowRunRevision.SAVED) return revisions.get(workflow.savedRevisionId);
  return loadRunnableRevision(revisions, workflow, revisionNumber);
}

/**
 * Returns the revision of a workflow with a number, by default the one that new runs use.
 * @throws InvalidInputError for a number that does not exist, ConflictError when no revision is published
 */
export async function loadRunnableRevision(
  revisions: RevisionStore,
  { id, runnableRevisionId }: LocatedWorkflow,
  number: number | null | undefined,
): Promise<Revision> {
  if (number != null) return revisions.ofNumber(id, number, 'revisionNumber');
  if (runnableRevisionId === null)
    throw new ConflictError(
      'The workflow has no published revision: publish one, or name the revision to run by its number.',
    );
  return revisions.get(runnableRevisionId);
}

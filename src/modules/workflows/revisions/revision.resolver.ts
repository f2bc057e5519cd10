import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Database } from '../../../platform/database/database.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue } from '../../../platform/json/scalars.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { PageBytes } from '../../../platform/lists/page-bytes.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Project } from '../../projects/project.js';
import { projectOf } from '../../projects/project-loaders.js';
import { toGraph } from '../graph/workflow-graph.js';
import { WorkflowGraph } from '../graph/workflow-graph.type.js';
import type { Revision, RevisionStore } from '../revision-store.js';
import { WorkflowInputField } from '../workflow-input-field.type.js';
import type { RevisionService } from './revision.service.js';
import {
  SavedRevision,
  WorkflowPublicationPage,
  WorkflowRevisionDiff,
  WorkflowRevisionPage,
} from './workflow-revision.type.js';

const WORKFLOW_ID = { description: 'Id of the workflow.' };
const NUMBER = { description: 'Number of the revision.' };

@Resolver(() => SavedRevision)
export class RevisionResolver {
  constructor(
    private readonly database: Database,
    private readonly service: RevisionService,
    private readonly revisions: RevisionStore,
    private readonly pageBytes: PageBytes,
  ) {}

  @Query(() => WorkflowRevisionPage, {
    name: 'workflowRevisions',
    description:
      'The revisions of a workflow, newest first. Revisions without a run, name or publication are deleted after the retention period of results. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.service.list(viewer, workflowId, page);
  }

  @Query(() => SavedRevision, {
    name: 'workflowRevision',
    description: 'One revision of a workflow. NOT_FOUND when there is none with the number. Requires the role viewer.',
  })
  get(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('number', () => Int, NUMBER) number: number,
  ) {
    return this.service.get(viewer, workflowId, number);
  }

  @Query(() => WorkflowRevisionDiff, {
    name: 'workflowRevisionDiff',
    description: 'Compares two revisions of a workflow. Requires the role viewer.',
  })
  diff(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('leftNumber', () => Int, { description: 'Number of the first revision.' }) leftNumber: number,
    @Arg('rightNumber', () => Int, { description: 'Number of the second revision.' }) rightNumber: number,
  ) {
    return this.service.diff(viewer, workflowId, leftNumber, rightNumber);
  }

  @Query(() => WorkflowPublicationPage, {
    name: 'workflowPublications',
    description: 'Which revision was published when and by whom, newest first. Requires the role viewer.',
  })
  publications(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.service.publications(viewer, workflowId, page);
  }

  @PayloadMutation({
    returns: { workflowRevision: () => SavedRevision },
    name: 'workflowRevisionDescribe',
    description: 'Changes the name and the note of a revision. Absent members stay. Requires the role editor.',
  })
  describe(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('number', () => Int, NUMBER) number: number,
    @Arg('name', () => String, { nullable: true, description: 'New name, at most 255 characters. Null removes it.' })
    name: string | null | undefined,
    @Arg('note', () => String, { nullable: true, description: 'New note, at most 2,000 characters. Null removes it.' })
    note: string | null | undefined,
  ) {
    return this.service.describe(viewer, workflowId, number, { name, note });
  }

  @PayloadMutation({
    returns: { workflowRevision: () => SavedRevision },
    name: 'workflowRevisionRestore',
    description:
      'Saves the graph of an earlier revision again, with its secrets, as a new revision. BAD_USER_INPUT when there is none with the number, CONFLICT when another one than `expectedRevisionNumber` was saved last. Requires the role editor.',
  })
  restore(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('number', () => Int, NUMBER) number: number,
    @Arg('expectedRevisionNumber', () => Int, {
      nullable: true,
      description: 'Number of the revision that was saved last. Default: not checked.',
    })
    expectedRevisionNumber: number | null | undefined,
  ) {
    return this.service.restore(viewer, workflowId, number, expectedRevisionNumber);
  }

  @PayloadMutation({
    returns: { workflowRevision: () => SavedRevision },
    name: 'workflowRevisionPublish',
    description:
      'Makes a revision the one that new runs of a project with drafts use. An earlier revision rolls the workflow back. CONFLICT when the project uses no drafts, or requires a publish check that the revision has not passed. Requires the role editor.',
  })
  publish(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('number', () => Int, NUMBER) number: number,
    @Arg('note', () => String, { nullable: true, description: 'Note, at most 2,000 characters. Default: none.' })
    note: string | null | undefined,
  ) {
    return this.service.publish(viewer, workflowId, number, note ?? '');
  }

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectDraftsSet',
    description:
      'Sets whether a project uses drafts. With drafts, saving a workflow changes only its draft, and runs, triggers, sub-workflows and copies use the published revision. Switching drafts on publishes the current revision of every workflow. Requires the role admin.',
  })
  async setDrafts(
    @Ctx() context: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('usesDrafts', () => Boolean, { description: 'Whether the project uses drafts.' }) usesDrafts: boolean,
  ) {
    await this.service.setDrafts(context.viewer, projectId, usesDrafts);
    return projectOf(context, this.database, projectId);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the page leaves out `data`, `graph` and `inputFields` because the page has reached its size limit. `workflowRevision` returns it completely.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() revision: SavedRevision) {
    return !(await this.#isWhole(context, revision));
  }

  @FieldResolver(() => JSONValue, {
    description: 'The graph, with secret defaults masked as `********`; `{}` when `isShortened` is true.',
  })
  async data(@Ctx() context: RequestContext, @Root() revision: SavedRevision) {
    return (await this.#graphOf(context, revision))?.data ?? {};
  }

  @FieldResolver(() => WorkflowGraph, {
    nullable: true,
    description: 'The graph with typed nodes and edges, masked like `data`. Null when `isShortened` is true.',
  })
  async graph(@Ctx() context: RequestContext, @Root() revision: SavedRevision) {
    const stored = await this.#graphOf(context, revision);
    return stored ? toGraph(stored.data) : null;
  }

  @FieldResolver(() => [WorkflowInputField], {
    description:
      'The input fields of the trigger; empty when `isShortened` is true. No more than the trigger declares.',
  })
  async inputFields(@Ctx() context: RequestContext, @Root() revision: SavedRevision) {
    return (await this.#graphOf(context, revision))?.inputFields ?? [];
  }

  async #graphOf(context: RequestContext, revision: SavedRevision): Promise<Revision | null> {
    return (await this.#isWhole(context, revision)) ? this.revisions.load(context, revision.id) : null;
  }

  async #isWhole(context: RequestContext, revision: SavedRevision): Promise<boolean> {
    const { id } = revision;
    return this.pageBytes.fits(context, 'revision', revision, {
      id,
      bytes: await this.revisions.bytesOf(context, id),
    });
  }
}

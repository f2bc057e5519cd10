import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { DateTime, JSONValue } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRunAttempt } from '../history/workflow-run-attempt.type.js';
import { WorkflowRunNode, WorkflowRunNodeStatus } from '../history/workflow-run-node.type.js';
import type { JournalAttempts } from '../journal/journal-attempts.js';
import type { NodeInputs } from '../journal/node-inputs.js';

@Resolver(() => WorkflowRunNode)
export class WorkflowRunNodeResolver {
  constructor(
    private readonly attemptsReader: JournalAttempts,
    private readonly inputs: NodeInputs,
  ) {}

  @FieldResolver(() => [WorkflowRunAttempt], {
    description:
      'Attempts of the node, oldest first. Empty for a node that did not start, for a result that a fork took over, and when the events of the run have expired. No more than 10.',
  })
  attempts(@Ctx() context: RequestContext, @Root() node: WorkflowRunNode) {
    return this.attemptsReader.of(context, node);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'Time at which the first attempt started. Null when `attempts` is empty.',
  })
  async startedAt(@Ctx() context: RequestContext, @Root() node: WorkflowRunNode) {
    return (await this.attemptsReader.of(context, node))[0]?.startedAt ?? null;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      'Time at which the last attempt ended. Null when `attempts` is empty, and until the node has succeeded or failed.',
  })
  async endedAt(@Ctx() context: RequestContext, @Root() node: WorkflowRunNode) {
    if (node.status === WorkflowRunNodeStatus.RUNNING || node.status === WorkflowRunNodeStatus.WAITING) return null;
    return (await this.attemptsReader.of(context, node)).at(-1)?.endedAt ?? null;
  }

  @FieldResolver(() => JSONValue, {
    nullable: true,
    description:
      'Settings of the last attempt after its placeholders were replaced, for example prompt, URL or arguments; secrets are masked. Texts are cut with a note when the input has more than 64 KB. Null when the node has no settings or did not start, the events of the run have expired, or the response reached its size limit.',
  })
  resolvedInput(@Ctx() context: RequestContext, @Root() node: WorkflowRunNode) {
    return this.inputs.of(context, node);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Media type of `content`: `application/json` for a JSON object or list, otherwise `text/plain`. Null without content.',
  })
  contentType(@Root() { content }: WorkflowRunNode): string | null {
    if (content === null) return null;
    return isJsonContainer(content) ? 'application/json' : 'text/plain';
  }
}

function isJsonContainer(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

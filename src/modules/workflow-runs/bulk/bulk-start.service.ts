import { derivedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import {
  MAX_STARTS,
  type WorkflowRunStart,
  type WorkflowRunStartInput,
  type WorkflowRunStarts,
} from './bulk-start.type.js';

/** Starts of one request that are in progress at the same time. Their inserts share statements. */
const CONCURRENCY = 50;

/** Starts many runs of a workflow in one request. */
export class BulkStartService {
  constructor(
    private readonly database: Database,
    private readonly runs: WorkflowRunService,
    private readonly idempotentStarts: IdempotentStarts,
  ) {}

  /**
   * Starts a run for each item and returns the outcomes in the same order. A refused item does not affect the others. After an
   * unexpected error, such as an unreachable database, it is not known whether the run of the item exists: then the request fails,
   * and its repetition with idempotency keys starts the missing runs.
   * @throws InvalidInputError for no or too many items, or for a repeated key
   */
  async start(
    context: RequestContext,
    workflowId: number,
    items: readonly WorkflowRunStartInput[],
    choice: RunChoice,
  ): Promise<WorkflowRunStarts> {
    await locateWorkflow(this.database, context.viewer, workflowId, 'workflow.run');
    checkItems(items);
    const starts: WorkflowRunStart[] = [];
    for (let from = 0; from < items.length; from += CONCURRENCY) {
      const part = items.slice(from, from + CONCURRENCY);
      const work = part.map((item, at) => this.#start(context, { workflowId, choice, item, index: from + at }));
      starts.push(...(await allEnded(work)));
      failpoint('bulk-start.after-part');
    }
    const accepted = starts.filter(({ receipt }) => receipt?.status === 201).length;
    return { accepted, refused: starts.length - accepted, items: starts };
  }

  async #start(context: RequestContext, { workflowId, choice, item, index }: ItemStart): Promise<WorkflowRunStart> {
    const { input, idempotencyKey = null } = item;
    const start = { index, idempotencyKey, receipt: null, error: null };
    const args = { input, inputText: undefined, draft: false, ...choice };
    // With an idempotency key of the whole request, a repetition starts the missing runs. An item with a key of its own has the id
    // that is reserved for this key.
    const reservedOfRequest = context.reservedId && derivedUuid(`${context.reservedId} ${index}`);
    try {
      const receipt = await this.idempotentStarts.once(
        { viewer: context.viewer, reservedId: reservedOfRequest },
        idempotencyKey,
        ['workflowRunStart', { workflowId, ...args }],
        reservedId => this.runs.start(context.viewer, workflowId, { ...args, reservedId }),
      );
      return { ...start, receipt };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...start, error: { code: error.extensions.code, message: error.message } };
    }
  }
}

/** The settings that all runs of a request share. */
interface RunChoice {
  revisionNumber: number | undefined;
  environment?: string;
}

interface ItemStart {
  workflowId: number;
  choice: RunChoice;
  item: WorkflowRunStartInput;
  index: number;
}

/** Like `Promise.all`, but a failure is thrown when all promises have settled: none of them continues after the request. */
async function allEnded<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function checkItems(items: readonly WorkflowRunStartInput[]): void {
  const faults = new Faults();
  if (items.length === 0 || items.length > MAX_STARTS)
    faults.add('items', `Ensure this list has 1-${MAX_STARTS} items.`);
  const positions = new Map<string, number>();
  for (const [index, { idempotencyKey }] of items.entries()) {
    if (idempotencyKey == null) continue;
    const first = positions.get(idempotencyKey);
    if (first === undefined) positions.set(idempotencyKey, index);
    else faults.add(`items.${index}.idempotencyKey`, `Item ${first} has the same key: use one key for each item.`);
  }
  faults.throwIfAny();
}

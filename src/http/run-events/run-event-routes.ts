import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isTerminal } from '../../engine/status.js';
import { callerOf, startRechecks } from '../../graphql/subscriptions/subscriber-credentials.js';
import { SubscriberSlots } from '../../graphql/subscriptions/subscriber-slots.js';
import type { Viewer } from '../../modules/accounts/viewer.js';
import type { WorkflowRunChange } from '../../modules/workflow-runs/api/workflow-run-change.type.js';
import { InvalidInputError, NotFoundError, RateLimitedError, UnavailableError } from '../../platform/errors/errors.js';
import { recordOutcome } from '../../platform/tracing/work-context.js';
import type { ClientAddress } from '../client-address.js';
import { sendEventStream } from '../event-stream.js';
import { maintenanceCheck, releaseFromLimit } from '../middleware/request-checks.js';
import { OpenStreams } from '../open-streams.js';
import type { HttpOptions, HttpServices } from '../options.js';
import { formatChanges } from './run-event.js';

const ROUTE = '/api/v1/workflows/history-events/{run_id}';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEQUENCE = /^\d{1,9}$/;
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

/** `GET /api/v1/workflows/history-events/{run_id}`: the changes of a run as Server-Sent Events. */
export class RunEventRoutes {
  readonly #streams = new OpenStreams();
  readonly #slots: SubscriberSlots;

  constructor(
    private readonly services: HttpServices,
    private readonly options: HttpOptions,
    private readonly addressOf: ClientAddress,
  ) {
    this.#slots = new SubscriberSlots(options.socketLimits.perUser);
    options.telemetry.metrics.add({
      name: 'scenarium_run_event_streams_open',
      help: 'Streams of events of runs that are open in this process.',
      read: () => [{ value: this.#streams.size }],
    });
  }

  get router(): Router {
    const router = Router();
    const path = '/api/v1/workflows/history-events/:run';
    router.get([path, `${path}/`], maintenanceCheck(this.services.maintenance), this.#send);
    return router;
  }

  /** Ends all streams, so that clients resume at another process. */
  close(): void {
    this.#streams.close();
  }

  readonly #send: RequestHandler<{ run: string }> = async (request, response) => {
    recordOutcome({ route: ROUTE });
    const { run } = request.params;
    const viewer = await this.#viewerOf(request, response);
    if (!UUID.test(run)) throw new NotFoundError();
    const after = lastSequenceOf(request);
    const { state, sequence } = await this.services.runs.get(viewer, run);
    // After a 204 an `EventSource` does not connect again.
    if (after !== null && isTerminal(state) && after >= (sequence ?? 0)) return void response.status(204).end();
    const releaseSlot = this.#takeSlot(viewer.userId);
    try {
      await this.#stream(request, response, await this.services.runStreams.open(viewer, run, after));
    } finally {
      releaseSlot();
    }
  };

  async #viewerOf(request: Request<{ run: string }>, response: Response): Promise<Viewer> {
    const { headers } = request;
    const credentials = { headers, address: this.addressOf(request), cost: 1, response };
    return (await this.services.identity.restContextFor(credentials, 'API_KEY')).viewer;
  }

  async #stream(
    request: Request<{ run: string }>,
    response: Response,
    changes: AsyncIterable<WorkflowRunChange>,
  ): Promise<void> {
    releaseFromLimit(response);
    const iterator = changes[Symbol.asyncIterator]();
    const { headers } = request;
    const credentials = { headers, address: this.addressOf(request), cost: 0, response: null };
    const check = () => callerOf(async () => this.services.identity.restContextFor(credentials, 'API_KEY'));
    await this.#streams.hold(response, async controller => {
      const end = () => void iterator.return?.();
      if (controller.signal.aborted) end();
      else controller.signal.addEventListener('abort', end);
      const stopRechecks = startRechecks(check, () => controller.abort(), this.options);
      try {
        await sendEventStream(response, formatChanges({ [Symbol.asyncIterator]: () => iterator }));
      } finally {
        stopRechecks();
      }
    });
  }

  #takeSlot(userId: number): () => void {
    const { sockets, perUser } = this.options.socketLimits;
    if (this.#streams.size >= sockets) throw new UnavailableError('Too many streams are open.', RETRY_AFTER);
    const release = this.#slots.acquire(userId);
    if (release) return release;
    throw new RateLimitedError(RETRY_AFTER, `A user may have at most ${perUser} open streams of runs at a time.`);
  }
}

/** The number of the last event that the client has received. Null: none. */
function lastSequenceOf({ headers }: Request<{ run: string }>): number | null {
  const id = headers['last-event-id'];
  if (id === undefined) return null;
  if (typeof id === 'string' && SEQUENCE.test(id)) return Number(id);
  throw new InvalidInputError({ 'Last-Event-ID': ['Send the id of the last received event, a number.'] });
}

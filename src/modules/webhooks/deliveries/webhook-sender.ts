import type { Readable } from 'node:stream';
import { OutboundError, type OutboundErrorCode } from '../../../platform/outbound/errors.js';
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.js';
import { buildSignatureHeader } from '../signature.js';
import type { WebhookSecrets } from '../webhook-secrets.js';
import { retryAfterSeconds } from './retry-schedule.js';
import type { Attempt, ClaimedDelivery } from './webhook-attempt.js';

/** Time limit of one attempt. */
const TIMEOUT_MS = 15_000;
/** The response body is not used. Within these limits it is read, so that the connection can be reused. */
const MAX_READ_BYTES = 1_024;
const MAX_READ_MS = 1_000;

/** Errors that a retry would repeat. */
const PERMANENT_ERRORS: ReadonlySet<OutboundErrorCode> = new Set(['address_refused', 'bad_url', 'bad_request']);

/** Loads the valid secrets of a project, the current one first. */
export type LoadSecrets = (projectId: number) => Promise<string[]>;

/** Signs a delivery and sends it as an HTTP POST. Redirects are not followed. */
export class WebhookSender {
  constructor(
    private readonly outbound: Outbound,
    private readonly secrets: Pick<WebhookSecrets, 'live'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Returns a loader that reads the secrets of each project once, for a batch of deliveries. */
  secretsLoader(): LoadSecrets {
    const read = new Map<number, Promise<string[]>>();
    return projectId => {
      const secrets = read.get(projectId) ?? this.secrets.live(projectId);
      read.set(projectId, secrets);
      return secrets;
    };
  }

  /** Makes one attempt and returns its outcome. @throws when `signal` aborts, or on an internal error. */
  async send(delivery: ClaimedDelivery, signal: AbortSignal, secretsOf = this.secretsLoader()): Promise<Attempt> {
    const at = new Date();
    const startedAt = performance.now();
    const outcome = await this.#post(delivery, at, signal, secretsOf);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...outcome };
  }

  async #post(
    delivery: ClaimedDelivery,
    at: Date,
    signal: AbortSignal,
    secretsOf: LoadSecrets,
  ): Promise<Omit<Attempt, 'at' | 'durationMs'>> {
    const { id, url } = delivery;
    const body = JSON.stringify(delivery.body);
    const timestamp = Math.floor(at.getTime() / 1000);
    const secrets = await secretsOf(delivery.projectId);
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      const answer = await this.outbound.open({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'Scenarium-Webhooks',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': buildSignatureHeader(secrets, { id, timestamp, body }),
        },
        body,
        signal: AbortSignal.any([signal, deadline]),
        // A long body is no error: `discardBody` stops reading it.
        maxResponseBytes: Number.MAX_SAFE_INTEGER,
      });
      await discardBody(answer.body);
      return verdictOf(answer);
    } catch (error) {
      if (signal.aborted) throw error;
      const verdict = error instanceof OutboundError && PERMANENT_ERRORS.has(error.code) ? 'failed' : 'retry';
      return { status: null, error: this.#reasonOf(error, deadline), verdict, retryAfterSeconds: null };
    }
  }

  /** The reason of a failed attempt for the members of the project. @throws an internal error itself */
  #reasonOf(error: unknown, deadline: AbortSignal): string {
    if (deadline.aborted) return `The receiver did not respond within ${this.timeoutMs / 1000} s.`;
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

function verdictOf({ status, headers }: OutboundAnswer<Readable>): Omit<Attempt, 'at' | 'durationMs'> {
  if (status >= 200 && status < 300) return { status, error: null, verdict: 'delivered', retryAfterSeconds: null };
  if (status === 410)
    return { status, error: 'The receiver responded 410 (Gone).', verdict: 'gone', retryAfterSeconds: null };
  const error =
    status >= 300 && status < 400
      ? `The receiver responded with a redirect (${status}), which is not followed. Set the final URL.`
      : `The receiver responded ${status}.`;
  return { status, error, verdict: 'retry', retryAfterSeconds: retryAfterSeconds(headers['retry-after']) };
}

/** Reads and discards the body. The status has already decided the outcome, so an error here is ignored. */
async function discardBody(body: Readable): Promise<void> {
  let read = 0;
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), MAX_READ_MS);
  try {
    for await (const chunk of body) {
      read += (chunk as Buffer).length;
      if (read >= MAX_READ_BYTES) break;
    }
  } catch {
    body.destroy();
  } finally {
    clearTimeout(timer);
  }
}

import { compileValue } from '../../../engine/expressions/template.js';
import { isObject } from '../../../engine/json-value.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { derivedUuid, timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { isUnstorableJson } from '../../../platform/errors/fields.js';
import type { RunWaiter } from '../../workflow-runs/history/run-waiter.js';
import { type SealedWebhook, type StoredTrigger, sealContextOf, selectTriggers } from '../stored-trigger.js';
import type { WebhookSettings } from '../trigger-settings.js';
import type { TriggerStarts } from '../trigger-starts.js';
import { WebhookReply } from '../workflow-trigger.type.js';
import { replyOf, type WebhookAnswer } from './run-reply.js';
import { verifyCall } from './verify-call.js';

/** A call of a webhook. Header names are in lower case. */
export interface WebhookCall {
  token: string;
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
  query: Readonly<Record<string, string | string[]>>;
  body: Buffer;
  /** Called before the call waits for the reply of its run. */
  onWait: () => void;
  /** Aborted when the caller disconnects. */
  signal: AbortSignalLike;
}

/** Status of calls of a webhook that starts no runs at present. */
const PAUSED = 409;
/** Headers that do not become part of the input, because they may carry credentials. */
const HIDDEN_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key']);

/** Receives calls of webhooks: verifies them, starts their runs and builds the answers. */
export class WebhookReceiver {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly starts: TriggerStarts,
    private readonly waiter: RunWaiter,
  ) {}

  async receive(call: WebhookCall): Promise<WebhookAnswer> {
    const trigger = await selectTriggers(this.database)
      .where('t.token_digest', '=', this.vault.digest(call.token))
      .where('w.archived_at', 'is', null)
      .executeTakeFirst();
    if (!trigger) return refusal(404, 'not_found', 'No webhook has this address.');
    const settings = trigger.settings as unknown as WebhookSettings;
    const rejection = this.#rejectionOf(call, trigger, settings);
    if ('status' in rejection) {
      await this.starts.record({
        triggerId: trigger.id,
        outcome: rejection.status === PAUSED ? 'skipped' : 'rejected',
        reason: (rejection.body as { message: string }).message,
      });
      return rejection;
    }
    const { input, deliveryId } = rejection;
    const runId = deliveryId === null ? timeOrderedUuid() : derivedUuid(`webhook ${trigger.id} ${deliveryId}`);
    const start = await this.starts.start(trigger, input, runId);
    await this.starts.record({ triggerId: trigger.id, ...start });
    if (start.outcome === 'refused') return refusal(422, 'run_refused', start.reason, start.runId);
    if (settings.reply === WebhookReply.ACCEPTED) return accepted(runId);
    call.onWait();
    return this.#replyOf(trigger, runId, settings.waitSeconds, call.signal);
  }

  /** Checks a call. Returns the input of its run, or the answer that rejects it. */
  #rejectionOf(call: WebhookCall, trigger: StoredTrigger, settings: WebhookSettings) {
    if (!trigger.isEnabled) return refusal(PAUSED, 'disabled', 'This webhook is disabled.');
    if (trigger.pausedAt !== null) return refusal(PAUSED, 'paused', 'The workflow of this webhook is paused.');
    if (!settings.methods.includes(call.method)) {
      const refused = refusal(405, 'method_not_allowed', `Use ${settings.methods.join(' or ')}.`);
      return { ...refused, headers: { allow: settings.methods.join(', ') } };
    }
    if (call.body.length > settings.maxBodyBytes)
      return refusal(413, 'too_large', `A body has at most ${settings.maxBodyBytes} bytes.`);
    const { secret } = JSON.parse(this.vault.open(trigger.sealed!, sealContextOf(trigger.id))) as SealedWebhook;
    const verdict = verifyCall(call, settings, secret ?? '', Math.floor(Date.now() / 1_000));
    if (!verdict.isGenuine) return refusal(401, 'not_verified', verdict.reason);
    const body = readBody(call);
    if ('status' in body) return body;
    const { deliveryId } = verdict;
    return { input: inputOf(call, body.value, settings), deliveryId };
  }

  async #replyOf(
    trigger: StoredTrigger,
    runId: string,
    seconds: number,
    signal: AbortSignalLike,
  ): Promise<WebhookAnswer> {
    const viewer = await this.starts.viewerOf(trigger);
    if (!viewer) return accepted(runId);
    const result = await this.waiter.wait(viewer, runId, seconds, signal);
    return replyOf(runId, result) ?? accepted(runId);
  }
}

/** Reads the body by its content type: JSON, a form or a text. */
function readBody({ headers, body }: WebhookCall): { value: unknown } | WebhookAnswer {
  if (body.length === 0) return { value: null };
  const type = (headers['content-type'] ?? 'application/json').split(';', 1)[0]!.trim().toLowerCase();
  const text = body.toString('utf8');
  if (type === 'application/x-www-form-urlencoded') return { value: membersOf(new URLSearchParams(text)) };
  if (type.startsWith('text/')) return { value: text };
  if (type !== 'application/json' && !type.endsWith('+json'))
    return refusal(415, 'unsupported_type', `Send JSON, a form or a text instead of ${type}.`);
  try {
    const value: unknown = JSON.parse(text);
    if (isUnstorableJson(value)) return refusal(400, 'bad_body', 'The JSON is nested too deep or has null characters.');
    return { value };
  } catch {
    return refusal(400, 'bad_body', 'The body is not valid JSON.');
  }
}

function membersOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map(name => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** Builds the input of a run from a call, by the mapping if there is one. */
function inputOf(call: WebhookCall, body: unknown, { mapping }: WebhookSettings): Record<string, unknown> {
  const headers = Object.fromEntries(Object.entries(call.headers).filter(([name]) => !HIDDEN_HEADERS.has(name)));
  const whole = { body, headers, query: call.query, method: call.method };
  if (!isObject(mapping)) return whole;
  const rendered = compileValue(mapping).render({
    ...{ input: whole, declared: new Set(Object.keys(whole)), runId: '', now: new Date().toISOString() },
    ...{ node: () => undefined, previous: () => undefined },
  });
  return rendered as Record<string, unknown>;
}

function accepted(runId: string): WebhookAnswer {
  return { status: 202, headers: {}, body: { run_id: runId } };
}

function refusal(status: number, code: string, message: string, runId?: string): WebhookAnswer {
  return { status, headers: {}, body: { code, message, ...(runId === undefined ? {} : { run_id: runId }) } };
}

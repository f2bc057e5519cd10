import type { Usage } from '../../engine/ports.js';
import type { MeteredUsage } from '../../providers/llm/chat/chat-meter.js';
import type { Route } from '../../providers/llm/model-router.js';
import { storableText } from '../../providers/storable-text.js';
import type { Viewer } from '../accounts/viewer.js';
import { serviceCostOf } from '../billing/service-cost.js';
import type { HeldReservations } from './chat-reservations.js';
import type { StreamEnd } from './chat-stream.js';

/** The ledger entry of a chat completion. Undefined members are stored as null. */
export interface ChatEntry {
  /** Id of the call. */
  id: string;
  userId: number;
  keyId: number | null;
  projectId: number | undefined;
  status: 'Success' | 'Error';
  amountUsd: string;
  reason: string | undefined;
  /** The model, as `provider/model`. */
  description: string;
  usage: Usage[];
  /** The part of the amount that a provider key of the service paid, in US dollars; undefined: nothing. */
  serviceUsd: string | undefined;
  /** Id of the reservation on the limit of the project and on the operator's limits. */
  reservation: string | undefined;
  /** Id of the reservation on the limit of the API key. */
  keyReservation: string | undefined;
}

interface CompletedCall {
  id: string;
  viewer: Viewer;
  projectId: number | null;
  reservations: HeldReservations;
  route: Route;
  end: StreamEnd;
  tokens: MeteredUsage;
  costUsd: string | null;
}

/** Builds the ledger entry of a chat completion that was answered, completely or partly. */
export function chatEntry(ended: CompletedCall): ChatEntry {
  const { id, viewer, projectId, reservations, route, end, tokens, costUsd } = ended;
  const { provider } = route;
  const model = storableText(route.model);
  const { promptTokens, completionTokens } = tokens;
  const usage: Usage = { provider: provider.name, model, promptTokens, completionTokens, costUsd };
  if (provider.isOwn) usage.isOwn = true;
  return {
    id,
    userId: viewer.userId,
    keyId: viewer.keyId ?? null,
    projectId: projectId ?? undefined,
    status: end === 'complete' ? 'Success' : 'Error',
    amountUsd: costUsd ?? '0',
    reason: reasonOf(ended, model),
    description: `${provider.name}/${model}`,
    usage: [usage],
    serviceUsd: serviceCostOf([usage]),
    reservation: reservations.ofProject ?? undefined,
    keyReservation: reservations.ofKey ?? undefined,
  };
}

/** Notes for readers of the ledger; undefined if there are none. */
function reasonOf({ route, end, tokens, costUsd }: CompletedCall, model: string): string | undefined {
  const reasons = [
    costUsd === null && `Not charged, because the price is unknown: ${model}.`,
    tokens.isCounted && 'The provider did not report its usage, so tokens were counted.',
    end === 'left' && 'The client disconnected before the end.',
    end === 'broken' && 'The provider broke off its response.',
    route.provider.isOwn && 'Called with a provider key of the project.',
  ];
  return reasons.filter(Boolean).join(' ') || undefined;
}

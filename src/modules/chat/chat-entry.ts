import type { Usage } from '../../engine/ports.js';
import type { Metered } from '../../providers/llm/chat/chat-meter.js';
import type { Route } from '../../providers/llm/model-router.js';
import { storableText } from '../../providers/storable-text.js';
import type { Viewer } from '../accounts/viewer.js';
import { serviceCostOf } from '../billing/service-cost.js';
import type { ChatEntry } from './chat-ledger.js';
import type { Held } from './chat-reservations.js';
import type { StreamEnd } from './chat-stream.js';

interface Ended {
  id: string;
  viewer: Viewer;
  projectId: number | null;
  held: Held;
  route: Route;
  end: StreamEnd;
  used: Metered;
  costUsd: string | null;
}

/** The row of a chat completion that was answered, in whole or in part. */
export function chatEntry({ id, viewer, projectId, held, route, end, used, costUsd }: Ended): ChatEntry {
  const { provider } = route;
  const model = storableText(route.model);
  const { promptTokens, completionTokens, isCounted } = used;
  const usage: Usage = { provider: provider.name, model, promptTokens, completionTokens, costUsd };
  if (provider.isOwn) usage.isOwn = true;
  const reasons = [
    costUsd === null && `The price of ${model} is unknown: charged nothing.`,
    isCounted && 'The provider did not report what it used: tokens are counted.',
    end === 'left' && 'The client left before the end.',
    end === 'broken' && 'The provider broke off.',
    provider.isOwn && 'Called with a key of the project’s own.',
  ];
  return {
    id,
    userId: viewer.userId,
    keyId: viewer.keyId ?? null,
    projectId: projectId ?? undefined,
    status: end === 'complete' ? 'Success' : 'Error',
    amountUsd: costUsd ?? '0',
    reason: reasons.filter(Boolean).join(' ') || undefined,
    description: `${provider.name}/${model}`,
    usage: [usage],
    serviceUsd: serviceCostOf([usage]),
    reservation: held.ofProject ?? undefined,
    keyReservation: held.ofKey ?? undefined,
  };
}

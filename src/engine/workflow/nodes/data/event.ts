import type { JsonObject } from '../../../json-value.js';
import type { KindFault, NodeReference } from '../../graph/node-kind.js';
import { FILL_IN } from '../../graph/secrets/credentials.js';
import { CLEARED } from '../../graph/settings.js';

/** Returns the reference to the event that the member `event` names. */
export function eventReferences({ event: value }: JsonObject): NodeReference[] {
  return [{ kind: 'event', path: 'event', value }];
}

/** Returns the fault of a name that was removed from a copy. */
export function eventFaults({ event }: JsonObject): KindFault[] {
  return event === FILL_IN ? [{ path: 'event', message: CLEARED, code: 'invalid_setting' }] : [];
}

import { z } from 'zod';
import { textOf } from '../../../json-value.js';
import { nodeKind } from '../../graph/node-kind.js';
import { eventFaults, eventReferences } from '../data/event.js';
import { branchTargets, namedBranches } from '../named-branches.js';

const MAX_SECONDS = 30 * 86_400;
const DEFAULT_SECONDS = 86_400;
const MAX_EARLIER_SECONDS = 3_600;
const DEFAULT_EARLIER_SECONDS = 60;

const HANDLES = ['received', 'expired'] as const;

export const wait = nodeKind({
  type: 'wait-node',
  nodeType: 'WaitNode',
  title: 'Wait for event',
  description:
    'Waits for an event that is sent to the project, without occupying a worker. The content is the payload of the event.',
  category: 'logic',
  effects: 'steps',
  outputs: [
    { handle: 'received', title: 'Received', description: 'Followed after the event.' },
    { handle: 'expired', title: 'Expired', description: 'Followed when no event has arrived in time.' },
  ],
  defaults: { event: 'payment-received', correlation_key: '{{ input.order_id }}' },
  defaultTimeout: null,
  form: {
    icon: 'bell',
    color: '#64748b',
    fields: {
      event: { title: 'Name of the event', widget: 'text' },
      correlation_key: { title: 'Correlation key', widget: 'text' },
      event_timeout_seconds: { title: 'Seconds to wait', widget: 'number' },
      accept_earlier_seconds: {
        title: 'Accept events sent up to … seconds earlier',
        widget: 'number',
        group: 'advanced',
      },
      received_nodes: { title: 'Next nodes after the event', widget: 'hidden' },
      expired_nodes: { title: 'Next nodes if no event arrives', widget: 'hidden' },
    },
    content: { sample: '{"amount": 20}' },
  },
  settings: setting =>
    z.looseObject({
      event: setting.text(z.string().min(1).max(200)).describe('Name of the event, 1-200 characters.'),
      correlation_key: setting
        .text(z.string().max(500))
        .nullish()
        .describe(
          'Text that the event must have as its correlation key, such as the id of an order, at most 500 characters. Default: the empty text.',
        ),
      event_timeout_seconds: setting
        .value(z.number().int().min(1).max(MAX_SECONDS))
        .nullish()
        .describe('Seconds after which the output `expired` is followed, 1-2592000 (30 days). Default 86400 (1 day).'),
      accept_earlier_seconds: setting
        .value(z.number().int().min(0).max(MAX_EARLIER_SECONDS))
        .nullish()
        .describe(
          'An event that was sent at most this number of seconds before the wait counts as well, 0-3600, unless the run has already received it. Default 60.',
        ),
      received_nodes: branchTargets('received'),
      expired_nodes: branchTargets('expired'),
    }),
  branches: data => namedBranches(HANDLES, data),
  branchOf: content => (content === '' ? 'expired' : 'received'),
  references: eventReferences,
  check: eventFaults,
  execute: async ({ settings, steps }) => {
    const answer = await steps.waitForEvent(
      { name: 'event' },
      {
        name: settings.event,
        key: settings.correlation_key ?? '',
        timeoutSeconds: settings.event_timeout_seconds ?? DEFAULT_SECONDS,
        acceptEarlierSeconds: settings.accept_earlier_seconds ?? DEFAULT_EARLIER_SECONDS,
      },
    );
    if (answer === null) return { content: '', branch: 'expired' };
    const { payload } = answer;
    return { content: payload === null ? '' : textOf(payload), branch: 'received' };
  },
});

import { type Graph, graph, inputField, node } from './graph.js';

export const DEMO_PROJECT = 'Demo';
export const DEMO_WORKFLOW = 'Thank a customer for an order';
export const DEMO_INPUT = { customer: 'ada', amount: 250 };

// The UUIDs are constant, so that a later demo finds its workflow unchanged.
const ORDER = '0de00000-0000-4000-8000-000000000001';
const CUSTOMER = '0de00000-0000-4000-8000-000000000002';
const IS_LARGE = '0de00000-0000-4000-8000-000000000003';
const PERSONAL = '0de00000-0000-4000-8000-000000000004';
const STANDARD = '0de00000-0000-4000-8000-000000000005';
const NOTE = '0de00000-0000-4000-8000-000000000006';

export interface DemoGraphOptions {
  /** Model of the LLM node. */
  model: string;
  /** URL of the customer data for the HTTP node. */
  customersUrl: string;
}

/**
 *                                        ┌ yes → personal note (LLM) ─┐
 * order placed → customer (HTTP) → large?┤                            ├→ note
 *                                        └ no → standard note ────────┘
 */
export function demoGraph({ model, customersUrl }: DemoGraphOptions): Graph {
  return graph([
    node(ORDER, 'trigger-node', 'An order is placed', {
      input_fields: [
        inputField('customer', 'Customer', 'text', 'ada or linus'),
        inputField('amount', 'Amount', 'number', '250'),
      ],
      next_nodes: [CUSTOMER],
    }),
    node(CUSTOMER, 'http-node', 'Look the customer up', {
      method: 'GET',
      url: customersUrl,
      params: { name: '{{ input.customer }}' },
      next_nodes: [IS_LARGE],
    }),
    node(IS_LARGE, 'if-else-node', 'Is it a large order?', {
      condition: { left: '{{ input.amount }}', operator: '>=', right: '100' },
      true_node: PERSONAL,
      false_node: STANDARD,
    }),
    node(PERSONAL, 'basic-node', 'Write a personal note', {
      messages: [
        { role: 'system', message: 'Rewrite the note in one warm sentence.' },
        {
          role: 'user',
          message:
            `Dear {{ nodes.${CUSTOMER}.json.name }}, thank you for your order of {{ input.amount }} ` +
            `and for {{ nodes.${CUSTOMER}.json.years }} years with us!`,
        },
      ],
      settings: { model_name: model, temperature: 0.7 },
      next_nodes: [NOTE],
    }),
    node(STANDARD, 'template-node', 'Take the standard note', {
      template: `Thank you for your order, {{ nodes.${CUSTOMER}.json.name }}.`,
      next_nodes: [NOTE],
    }),
    node(NOTE, 'output-node', 'Send the note', { value: '{{ previous.content }}', next_nodes: [] }),
  ]);
}

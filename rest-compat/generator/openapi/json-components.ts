import type { JsonSchema } from './json-schema.js';

/** Schemas of JSON values, which GraphQL does not describe. The directive `@jsonSchema` refers to them by name. */
export const jsonComponents: Readonly<Record<string, JsonSchema>> = {
  WorkflowGraph: {
    description: 'The graph of a workflow.',
    anyOf: [{ $ref: '#/components/schemas/RunnableGraph' }, { $ref: '#/components/schemas/IncompleteGraph' }],
  },
  RunnableGraph: {
    type: 'object',
    description: 'A graph whose nodes have all settings that their kinds require.',
    properties: {
      nodes: { type: 'array', description: 'The nodes.', items: { $ref: '#/components/schemas/GraphNode' } },
      edges: {
        type: 'array',
        description: 'The edges. They apply to nodes without `next_nodes`.',
        items: { $ref: '#/components/schemas/GraphEdge' },
      },
      viewport: {
        type: 'object',
        description: 'Visible section in the editor.',
        properties: {
          x: { type: 'number', description: 'Horizontal offset in pixels.' },
          y: { type: 'number', description: 'Vertical offset in pixels.' },
          zoom: { type: 'number', description: 'Zoom factor; 1 is the original size.' },
        },
      },
      start_node: { type: ['string', 'null'], description: 'UUID of the first node to execute.' },
    },
    required: ['nodes'],
  },
  IncompleteGraph: {
    type: 'object',
    description:
      'A graph that is incomplete or has wrong members. All members are saved and kept; a run or check reports those that are wrong.',
    additionalProperties: true,
  },
  GraphEdge: {
    type: 'object',
    description: 'A link between two nodes.',
    properties: {
      id: { type: 'string', description: 'Id of the edge.' },
      type: { type: 'string', description: 'Type of the edge: `custom-edge`.' },
      source: { type: 'string', description: 'UUID of the node at which the edge starts.' },
      target: { type: 'string', description: 'UUID of the node at which the edge ends.' },
      sourceHandle: {
        type: ['string', 'null'],
        description: 'The branch of the source node, such as `condition-true` or `condition-false`.',
      },
    },
    required: ['source', 'target'],
  },
  NodeResults: {
    type: 'object',
    description: 'Results by node UUID, in no particular order.',
    additionalProperties: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'UUID of the node.' },
        status: { type: 'string', description: '`in queue`, `in progress`, `succeed` or `failed`.' },
        result: {
          description:
            'Of a succeeded node an object with the text `content`; of an invalid node a list of errors `{path: message}`.',
        },
        error: { description: 'Error of a failed node: `{code, message}`.' },
        usage: {
          description: 'Use of language models: `prompt_tokens`, `completion_tokens`, `total_tokens` and `cost_usd`.',
        },
      },
    },
  },
  RunResult: {
    type: 'object',
    description: 'The result of a run.',
    properties: {
      data: {
        description: 'Results by node UUID.',
        anyOf: [{ $ref: '#/components/schemas/NodeResults' }, { type: 'null' }],
      },
      output: { description: 'Content of the output node; an object by node UUID when several output nodes ran.' },
    },
  },
  RunInput: {
    type: 'object',
    description: 'Input values by id of the input field, for example `{"topic": "refunds"}`.',
    additionalProperties: true,
  },
  RunError: {
    type: 'object',
    description: 'The reason why a run was rejected or failed.',
    properties: {
      code: { type: 'string', description: 'Machine-readable code, such as `invalid_input`.' },
      message: { type: 'string', description: 'Human-readable message.' },
    },
    additionalProperties: true,
  },
  Charges: {
    type: 'array',
    description: 'Charges of executed nodes.',
    items: {
      type: 'object',
      properties: {
        node_id: { type: 'string', description: 'UUID of the node.' },
        operation: { type: 'string', description: 'Type of the charge, such as `basic-node`.' },
        status: { type: 'string', description: '`Success` or `Error`.' },
        amount: {
          type: 'object',
          description: 'The amount.',
          properties: { USD: { type: 'string', description: 'US dollars as a decimal text, such as `"0.0125"`.' } },
        },
        reason: { type: ['string', 'null'], description: 'Reason of an error.' },
        description: { type: ['string', 'null'], description: 'Label of the node.' },
      },
    },
  },
  Headers: {
    type: 'object',
    description: 'HTTP headers by name, at most 100.',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
};

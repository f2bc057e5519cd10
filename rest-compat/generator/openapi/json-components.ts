import type { JsonSchema } from './json-schema.js';

/** Schemas of JSON values, which GraphQL does not describe. The directive `@jsonSchema` refers to them by name. */
export const jsonComponents: Readonly<Record<string, JsonSchema>> = {
  WorkflowGraph: {
    type: 'object',
    description:
      'The graph of a workflow. Drafts may be incomplete: members of any type are saved and kept, and a run or check reports those that are wrong.',
    properties: {
      nodes: {
        description: 'The nodes.',
        items: {
          properties: {
            id: { description: 'UUID of the node, unique in the graph.' },
            type: {
              description: 'Type of the node, such as `basic-node`. `/api/v1/workflows/get_nodes/` lists all types.',
            },
            position: {
              description: 'Position in the editor, in pixels.',
              properties: {
                x: { description: 'Distance from the left.' },
                y: { description: 'Distance from the top.' },
              },
            },
            data: {
              description: 'Settings of the node. `/api/v1/workflows/get_nodes/` has the JSON Schema of each type.',
              additionalProperties: true,
            },
          },
        },
      },
      edges: {
        description: 'The connections between nodes. They apply to nodes without `next_nodes`.',
        items: {
          properties: {
            id: { description: 'Id of the edge.' },
            type: { description: 'Type of the edge: `custom-edge`.' },
            source: { description: 'UUID of the node at which the edge starts.' },
            target: { description: 'UUID of the node at which the edge ends.' },
            sourceHandle: {
              description: 'The branch of the source node, such as `condition-true` or `condition-false`.',
            },
          },
        },
      },
      viewport: {
        description: 'Visible section in the editor.',
        properties: {
          x: { description: 'Horizontal offset in pixels.' },
          y: { description: 'Vertical offset in pixels.' },
          zoom: { description: 'Zoom factor; 1 is the original size.' },
        },
      },
      start_node: { description: 'UUID of the first node to execute.' },
    },
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
          properties: { USD: { description: 'US dollars as a decimal text, such as `"0.0125"`.' } },
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

export interface NamedExample {
  /** The member's REST name. */
  readonly name: string;
  /** The record it belongs to, where the name alone says too little. */
  readonly owner?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  readonly value: unknown;
}

const trigger = '3f1c2a8e-0d5b-4f0e-9a6c-5b7d1e2f3a01';
const answer = '8c9a7d0e-51b1-4a59-8f63-0d1f3c1f7a01';

const graph = {
  nodes: [
    {
      id: trigger,
      type: 'trigger-node',
      position: { x: 0, y: 0 },
      data: { name: 'Start', next_nodes: [answer], input_fields: [{ id: 'topic', title: 'Topic', type: 'text' }] },
    },
    {
      id: answer,
      type: 'output-node',
      position: { x: 320, y: 0 },
      data: { name: 'Answer', value: 'About {{ input.topic }}' },
    },
  ],
  edges: [{ id: 'start-answer', type: 'custom-edge', source: trigger, target: answer }],
  viewport: { x: 0, y: 0, zoom: 1 },
  start_node: trigger,
};

const nodeResult = { [answer]: { id: answer, status: 'succeed', result: { content: 'About refunds' } } };

/** The first that fits wins: those with an owner stand before those without. */
export const namedExamples: readonly NamedExample[] = [
  { name: 'name', owner: 'Project', type: 'string', value: 'Customer support' },
  { name: 'name', owner: 'attached_provider_keys', type: 'string', value: 'Team key' },
  { name: 'title', owner: 'WorkflowInputField', type: 'string', value: 'Topic' },
  { name: 'id', owner: 'WorkflowInputField', type: 'string', value: 'topic' },
  { name: 'type', owner: 'WorkflowInputField', type: 'string', value: 'text' },
  { name: 'title', owner: 'nodeKind', type: 'string', value: 'Output' },
  { name: 'status', owner: 'Recognitionrun', type: 'string', value: 'finished' },
  { name: 'cost', owner: 'Recognitionrun', type: 'number', value: 0 },
  { name: 'error', owner: 'Recognitionrun', type: 'string', value: null },
  { name: 'size', owner: 'Document', type: 'integer', value: 48213 },
  { name: 'size', type: 'integer', value: 10 },
  { name: 'name', type: 'string', value: 'Customer support' },
  { name: 'name__icontains', type: 'string', value: 'support' },
  { name: 'id', type: 'integer', value: 42 },
  { name: 'project', type: 'integer', value: 7 },
  { name: 'document', type: 'integer', value: 31 },
  { name: 'recognitionrun', type: 'integer', value: 5 },
  { name: 'chunk_size', type: 'integer', value: 500 },
  { name: 'chunks_count', type: 'integer', value: 12 },
  { name: 'tokens', type: 'integer', value: 487 },
  { name: 'key', type: 'string', value: 'handbook' },
  { name: 'filename', type: 'string', value: 'handbook.pdf' },
  { name: 'filename__icontains', type: 'string', value: 'handbook' },
  { name: 'content_type', type: 'string', value: 'application/pdf' },
  { name: 'result_file', type: 'string', value: '5d1c0e6f2a7b4c8d9e0f1a2b3c4d5e6f.pdf' },
  { name: 'result_url', type: 'string', value: 'https://scenarium.example/files/MTIz.c2lnbmVk' },
  { name: 'text', owner: 'RecognitionrunChunk', type: 'string', value: 'Refunds are paid within 14 days.' },
  { name: 'category', type: 'integer', value: 3 },
  { name: 'subcategory', type: 'integer', value: 12 },
  { name: 'sort_id', type: 'integer', value: 1 },
  { name: 'copied_from', type: 'integer', value: 17 },
  { name: 'run_fee', type: 'integer', value: 10 },
  { name: 'free_runs_per_user', type: 'integer', value: 3 },
  { name: 'USD', type: 'string', value: '0.0125' },
  { name: 'SR', type: 'string', value: '1.25' },
  { name: 'cost', type: 'number', value: 0.0125 },
  { name: 'commission', type: 'number', value: 0 },
  { name: 'duration', type: 'number', value: 1.84 },
  { name: 'title', type: 'string', value: 'Answer a customer' },
  { name: 'label', type: 'string', value: 'Answer' },
  { name: 'description', type: 'string', value: 'Ends a branch and sets the output of the run.' },
  { name: 'data', type: 'object', value: graph },
  { name: 'result', type: 'object', value: { data: nodeResult, output: 'About refunds' } },
  { name: 'input_data', type: 'object', value: { topic: 'refunds' } },
  { name: 'webhook_url', type: 'string', value: 'https://example.com/hooks/scenarium' },
  { name: 'is_webhook_enabled', type: 'boolean', value: true },
  { name: 'can_edit', type: 'boolean', value: true },
  { name: 'is_valid', type: 'boolean', value: true },
  { name: 'is_api_run', type: 'boolean', value: true },
  { name: 'input_requirements', type: 'boolean', value: true },
  { name: 'stopwords', type: 'array', value: ['the', 'and'] },
  { name: 'available_languages', type: 'array', value: ['en', 'de'] },
  { name: 'issues', type: 'array', value: [] },
  { name: 'options', type: 'array', value: [] },
  { name: 'market_title', type: 'string', value: 'Customer answers' },
  { name: 'short_description', type: 'string', value: 'Drafts an answer to a customer question.' },
  { name: 'readme_guide', type: 'string', value: 'Name the topic, then run it.' },
  { name: 'slug', type: 'string', value: 'customer-answers' },
  { name: 'placeholder', type: 'string', value: 'refunds' },
  { name: 'tooltip', type: 'string', value: 'What the customer asks about.' },
  { name: 'default_value', type: 'string', value: 'refunds' },
  { name: 'provider', type: 'string', value: 'openai' },
  { name: 'last4', type: 'string', value: 'a1b2' },
  { name: 'email', type: 'string', value: 'ada@example.com' },
  { name: 'node_type', type: 'string', value: 'OutputNode' },
  { name: 'type', type: 'string', value: 'output-node' },
  { name: 'category', type: 'string', value: 'flow' },
  { name: 'schema', type: 'object', value: { type: 'object', properties: { value: { type: 'string' } } } },
  { name: 'defaults', type: 'object', value: { value: '' } },
  { name: 'outputs', type: 'object', value: { content: 'string' } },
  { name: 'status', type: 'string', value: 'Succeeded' },
  { name: 'status', type: 'integer', value: 200 },
];

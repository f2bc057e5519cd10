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
  ...['Condition', 'condition', 'prompt_condition'].flatMap(owner => [
    { name: 'is_enabled', owner, type: 'boolean', value: true } as const,
    { name: 'type', owner, type: 'string', value: 'variable' } as const,
    { name: 'matching', owner, type: 'string', value: 'equal' } as const,
    { name: 'value', owner, type: 'string', value: 'refunds' } as const,
    { name: 'action', owner, type: 'string', value: 'skip' } as const,
    { name: 'variable', owner, type: 'integer', value: 5 } as const,
    { name: 'message', owner, type: 'integer', value: null } as const,
  ]),
  { name: 'name', owner: 'variable_name', type: 'string', value: 'first' },
  { name: 'value', owner: 'variable_name', type: 'string', value: 'refunds' },
  { name: 'id', owner: 'variable_name', type: 'integer', value: 1 },
  { name: 'is_active', owner: 'variable_name', type: 'boolean', value: true },
  { name: 'key', owner: 'Prompt', type: 'string', value: 'question' },
  { name: 'key', owner: 'Message', type: 'string', value: 'answer' },
  { name: 'content', owner: 'Prompt', type: 'string', value: 'Write about <variable>-1,5,1</variable>.' },
  { name: 'status', owner: 'ScenarioRun', type: 'string', value: 'finished' },
  { name: 'status', owner: 'processed_message', type: 'string', value: 'finished' },
  { name: 'role', type: 'string', value: 'user' },
  { name: 'return_type', type: 'string', value: 'text' },
  { name: 'parameters', type: 'object', value: { model_name: 'gpt-4.1-mini', temperature: 0.7 } },
  { name: 'market_permission', type: 'string', value: 'private' },
  { name: 'key', type: 'string', value: 'topic' },
  { name: 'scenariorun', type: 'integer', value: null },
  { name: 'scenariorun', type: 'string', value: 'false' },
  { name: 'keywordrun', type: 'integer', value: null },
  { name: 'loop_variable', type: 'integer', value: null },
  { name: 'size', type: 'integer', value: 10 },
  { name: 'name', type: 'string', value: 'Customer support' },
  { name: 'name__icontains', type: 'string', value: 'support' },
  { name: 'id', type: 'integer', value: 42 },
  { name: 'project', type: 'integer', value: 7 },
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

const node = (id, type, label, [column, row], data) => ({
  id,
  type,
  position: { x: column * 276, y: row * 116 },
  data: { id, name: label, label, version: '1.0', ...data },
});

const field = (id, title) => ({
  id,
  title,
  type: 'text',
  input_requirements: true,
  placeholder: '',
  tooltip: '',
  default_value: '',
  is_secret: false,
  options: [],
});

const llm = message => ({
  messages: [{ role: 'user', message }],
  settings: { model_name: 'echo', temperature: 0.2 },
});

/**
 * A workflow whose run has nodes in every state while the shop at `shopUrl` delays the refund: finished, running, skipped and not
 * started. `isRevised` changes two nodes.
 */
export function supportGraph(shopUrl, { isRevised = false } = {}) {
  const nodes = [
    node('mail', 'trigger-node', 'A mail arrives', [0, 1], {
      input_fields: [field('mail', 'Mail'), field('customer', 'Customer')],
    }),
    node('customer', 'http-node', 'Look the customer up', [1, 0.3], {
      method: 'GET',
      url: `${shopUrl}/customers`,
      params: { name: '{{ input.customer }}' },
    }),
    node('topic', 'basic-node', 'Find the topic', [1, 1.7], llm('refund')),
    node('route', 'switch-node', 'What is it about?', [2, 1], {
      value: '{{ nodes.topic.content }}',
      cases: [{ equals: 'refund' }, { equals: 'shipping' }],
    }),
    node('refund', 'http-node', 'Refund the order', [3, 0], { method: 'POST', url: `${shopUrl}/refunds` }),
    node(
      'handbook',
      'basic-node',
      'Quote the handbook',
      [3, 1.1],
      llm(isRevised ? 'Parcels take two days, and three at weekends.' : 'Parcels take three days.'),
    ),
    node('colleague', 'template-node', 'Ask a colleague', [3, 2.2], {
      template: isRevised ? 'A colleague answers within two hours.' : 'A colleague answers today.',
    }),
    node('end', 'output-node', 'Send the answer', [4, 1.1], { value: '{{ previous.content }}' }),
  ];
  const edges = [
    ['mail', 'customer'],
    ['mail', 'topic'],
    ['customer', 'route'],
    ['topic', 'route'],
    ['route', 'refund', 'case-0'],
    ['route', 'handbook', 'case-1'],
    ['route', 'colleague', 'default'],
    ['refund', 'end'],
    ['handbook', 'end'],
    ['colleague', 'end'],
  ].map(([source, target, sourceHandle]) => ({
    id: `${source}-${target}`,
    type: 'custom-edge',
    source,
    target,
    ...(sourceHandle ? { sourceHandle } : {}),
  }));
  return { nodes, edges, viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'mail' };
}

/** An agent that asks a person before it refunds an order. */
export function refundGraph(shopUrl) {
  const text = { type: 'string' };
  const refund = {
    kind: 'http',
    name: 'refund_order',
    description: 'Pays money back to the customer.',
    parameters: { type: 'object', properties: { customer: text, order: text, amount: { type: 'number' } } },
    request: { method: 'POST', url: `${shopUrl}/refunds`, body: { amount: '{{ args.amount }}' } },
  };
  const nodes = [
    node('complaint', 'trigger-node', 'A complaint arrives', [0, 0], {
      input_fields: [field('complaint', 'Complaint')],
    }),
    node('agent', 'agent-node', 'Refund agent', [1, 0], {
      messages: [{ role: 'user', message: 'Handle this complaint: {{ input.complaint }}' }],
      settings: { model_name: 'gpt-4o-mini' },
      tools: [refund],
      approval: 'tools',
    }),
    node('reply', 'output-node', 'Reply', [2, 0], { value: '{{ previous.content }}' }),
  ];
  const edges = [
    { id: 'complaint-agent', type: 'custom-edge', source: 'complaint', target: 'agent' },
    { id: 'agent-reply', type: 'custom-edge', source: 'agent', target: 'reply' },
  ];
  return { nodes, edges, viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'complaint' };
}

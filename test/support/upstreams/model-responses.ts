import { json, type Responder } from './chat-upstream.js';

/** A complete response of the Responses API, with 1,000 input and 500 output tokens. */
export const response = (text = 'Hi.') => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'gpt-4o-mini-2024-07-18',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 1_000,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 500,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1_500,
  },
});

/** A complete response of the Messages API, with 1,000 input and 500 output tokens. */
export const message = (text = 'Hi.') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1_000, output_tokens: 500 },
});

/** Two vectors in base64, the encoding that the official client requests, with 1,000 input tokens. */
export const vectors = () => ({
  object: 'list',
  data: [0, 1].map(index => ({
    object: 'embedding',
    index,
    embedding: Buffer.from(new Float32Array([index, 0.5]).buffer).toString('base64'),
  })),
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
});

/** Formats a server-sent event that is named by its type. */
export const namedEvent = (event: { type: string; [member: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Responds with a stream of these events. */
export const namedEvents =
  (...content: { type: string; [member: string]: unknown }[]): Responder =>
  answer =>
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).end(content.map(namedEvent).join(''));

/** The events of a streamed response of the Responses API. */
export const responseEvents = (...texts: string[]) => [
  {
    type: 'response.created',
    sequence_number: 0,
    response: { ...response(), status: 'in_progress', output: [], usage: null },
  },
  ...texts.map((delta, index) => ({
    type: 'response.output_text.delta',
    sequence_number: index + 1,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta,
  })),
  { type: 'response.completed', sequence_number: texts.length + 1, response: response(texts.join('')) },
];

/** The events of a streamed response of the Messages API. */
export const messageEvents = (...texts: string[]) => [
  {
    type: 'message_start',
    message: { ...message(), content: [], stop_reason: null, usage: { input_tokens: 1_000, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...texts.map(text => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 500 } },
  { type: 'message_stop' },
];

/** Selects the responder by path. Other paths return 404, as on a server without that API. */
export const byPath =
  (answers: Record<string, Responder>): Responder =>
  (answer, request) =>
    (answers[request.path] ?? json({ detail: 'Not Found' }, 404))(answer, request);

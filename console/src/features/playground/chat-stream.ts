import { credentials } from '@/session/session';

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A message in the chat-completion format. */
export interface RequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ChatRequest {
  model: string;
  messages: RequestMessage[];
  temperature?: number;
  max_tokens?: number;
  tools?: unknown[];
}

/** The answer so far: the parts of all events of the stream that have arrived. */
export interface ChatProgress {
  text: string;
  toolCalls: ToolCall[];
  finishReason: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
}

interface StreamOptions {
  projectId: number;
  signal: AbortSignal;
  onProgress: (progress: ChatProgress) => void;
}

/** An event of the stream, in the chat-completion format. */
interface Chunk {
  error?: { message?: string };
  choices?: {
    finish_reason?: string | null;
    delta?: {
      content?: string | null;
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

/**
 * Calls `/v1/chat/completions` for the project and reports the answer so far after every event of the stream.
 * @throws Error with the message of the service
 */
export async function streamChat(
  request: ChatRequest,
  { projectId, signal, onProgress }: StreamOptions,
): Promise<void> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: {
      ...(await bearerCredentials()),
      // Without it, the route accepts API keys only, not the token of a session.
      'X-Scenarium-Console': '1',
      'Content-Type': 'application/json',
      'X-Project-Id': String(projectId),
    },
    body: JSON.stringify({ ...request, stream: true, stream_options: { include_usage: true } }),
    signal,
  });
  if (!response.ok || response.body === null) throw new Error(await errorMessageOf(response));
  const answer: ChatProgress = {
    text: '',
    toolCalls: [],
    finishReason: null,
    promptTokens: null,
    completionTokens: null,
  };
  for await (const data of eventsOf(response.body)) {
    if (data === '[DONE]') break;
    addChunk(answer, JSON.parse(data) as Chunk);
    onProgress({ ...answer, toolCalls: answer.toolCalls.map(call => ({ ...call })) });
  }
}

/** The headers of `credentials` for this route, which takes an API key as a bearer token and not in `X-Api-Key`. */
async function bearerCredentials(): Promise<Record<string, string>> {
  const { 'X-Api-Key': key, ...headers } = await credentials();
  return key === undefined ? headers : { Authorization: `Bearer ${key}` };
}

async function errorMessageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return `The service answered ${response.status}.`;
  }
}

/** The data of each event of a stream of Server-Sent Events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
    }
  } finally {
    // A loop that ends early would leave the connection open.
    void reader.cancel().catch(() => undefined);
  }
}

function addChunk(answer: ChatProgress, { error, choices, usage }: Chunk): void {
  if (error) throw new Error(error.message ?? 'The provider ended the answer with an error.');
  const [choice] = choices ?? [];
  answer.text += choice?.delta?.content ?? '';
  answer.finishReason = choice?.finish_reason ?? answer.finishReason;
  for (const { index = 0, id, function: part } of choice?.delta?.tool_calls ?? []) {
    answer.toolCalls[index] ??= { id: id ?? `call_${index}`, name: '', arguments: '' };
    const call = answer.toolCalls[index];
    if (!call) continue;
    call.id = id ?? call.id;
    call.name += part?.name ?? '';
    call.arguments += part?.arguments ?? '';
  }
  if (usage) {
    answer.promptTokens = usage.prompt_tokens;
    answer.completionTokens = usage.completion_tokens;
  }
}

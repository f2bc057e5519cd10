interface ChatRequest {
  messages: { role: string; content: string }[];
}

/** Answers of a model that calls the tool `name` once, and then says `done: ` and the result. */
export const callsToolOnce = (name: string, args: unknown) => (request: ChatRequest) => {
  const result = request.messages.findLast(({ role }) => role === 'tool');
  if (result) return { content: `done: ${result.content}` };
  const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { content: null, tool_calls: [call] };
};

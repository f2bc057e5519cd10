import { serveHttp } from './loopback-server.js';

const USAGE = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

export interface ScriptedAnswer {
  status?: number;
  body: unknown;
}

/** A response with a text. */
export const textAnswer = (content: string): ScriptedAnswer => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', content } }], usage: USAGE },
});

/** An unusable response that is charged nevertheless. */
export const CHARGED_FOR_NOTHING: ScriptedAnswer = { body: { choices: [], usage: USAGE } };
export const OUT_OF_ORDER: ScriptedAnswer = { status: 500, body: { error: { message: 'out of order' } } };

/** A model provider that returns `answer(n)` to call number n, from 1. Null: it never responds. */
export async function startScriptedUpstream(answer: (call: number) => Promise<ScriptedAnswer | null>) {
  let calls = 0;
  const server = await serveHttp(async (request, response) => {
    request.resume();
    const scripted = await answer(++calls);
    if (!scripted) return;
    response.statusCode = scripted.status ?? 200;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(scripted.body));
  });
  return {
    url: `${server.url}/v1`,
    stop: server.close,
  };
}

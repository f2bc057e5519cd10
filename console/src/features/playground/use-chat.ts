import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { type ChatProgress, type ChatRequest, type RequestMessage, streamChat } from './chat-stream';
import { ChatChargesDocument } from './playground.generated';

/** The answer of one model in one turn. */
export interface Answer extends ChatProgress {
  model: string;
  isRunning: boolean;
  problem: string | null;
  /** Milliseconds until the first text. */
  firstMs: number | null;
  /** Milliseconds until the end. */
  totalMs: number | null;
  /** Null while unknown. */
  costUsd: string | null;
  /** Results of its tool calls by call id, which the next turn sends. */
  toolResults: Record<string, string>;
}

export interface Turn {
  id: number;
  text: string;
  /** One for each column. */
  answers: Answer[];
}

export interface ChatSettings {
  system: string;
  temperature: string;
  maxTokens: string;
  /** A JSON list of tools. Empty: none. */
  tools: string;
}

export const NO_SETTINGS: ChatSettings = { system: '', temperature: '', maxTokens: '', tools: '' };

/** The problem of an answer that the user stopped. */
export const STOPPED = 'Stopped.';

/** The row of a charge appears shortly after its answer. */
const CHARGE_DELAYS_MS = [250, 1_000, 3_000];
const millisecondsSince = (start: number) => Math.round(performance.now() - start);

/** A conversation with several models at once. It ends with the screen. */
export function useChat(projectId: number, models: readonly string[]) {
  const client = useApolloClient();
  const [turns, setTurns] = useState<Turn[]>([]);
  const abort = useRef<AbortController | null>(null);
  /** Ids of the charges that answers already show. */
  const shownCharges = useRef(new Set<string>());
  useEffect(() => () => abort.current?.abort(), []);
  const change = (turn: number, column: number, part: Partial<Answer>) =>
    setTurns(previous =>
      previous.map(one =>
        one.id === turn
          ? { ...one, answers: one.answers.map((answer, at) => (at === column ? { ...answer, ...part } : answer)) }
          : one,
      ),
    );
  /** A charge does not name its answer. It is found by its model and its numbers of tokens. */
  const loadCost = async (turn: number, column: number, model: string, answer: ChatProgress) => {
    for (const delay of CHARGE_DELAYS_MS) {
      await new Promise(resolve => setTimeout(resolve, delay));
      const { data } = await client.query({
        query: ChatChargesDocument,
        variables: { projectId },
        fetchPolicy: 'no-cache',
      });
      const row = data?.chatTransactions.items.find(
        ({ id, description, usage }) =>
          !shownCharges.current.has(id) &&
          isModel(description, model) &&
          usage?.promptTokens === answer.promptTokens &&
          usage?.completionTokens === answer.completionTokens,
      );
      if (!row) continue;
      shownCharges.current.add(row.id);
      return change(turn, column, { costUsd: row.amount.usd });
    }
  };
  const ask = async (turn: number, column: number, request: ChatRequest, signal: AbortSignal) => {
    const start = performance.now();
    let last: ChatProgress | null = null;
    let firstMs: number | null = null;
    try {
      await streamChat(request, {
        projectId,
        signal,
        onProgress: progress => {
          last = progress;
          if (progress.text !== '' || progress.toolCalls.length > 0) firstMs ??= millisecondsSince(start);
          change(turn, column, { ...progress, firstMs });
        },
      });
    } catch (error) {
      const problem = signal.aborted ? STOPPED : error instanceof Error ? error.message : String(error);
      change(turn, column, { problem });
    }
    change(turn, column, { isRunning: false, totalMs: millisecondsSince(start) });
    // The cast is needed because TypeScript does not see the assignment in the callback.
    if (last !== null && (last as ChatProgress).completionTokens !== null)
      await loadCost(turn, column, request.model, last).catch(() => undefined);
  };
  const send = async (text: string, settings: ChatSettings) => {
    const controller = new AbortController();
    abort.current = controller;
    const id = Date.now();
    const requests = models.map((model, column) =>
      toRequest(model, [...historyOf(turns, column), { role: 'user', content: text }], settings),
    );
    setTurns([...turns, { id, text, answers: models.map(newAnswer) }]);
    await Promise.all(requests.map((request, column) => ask(id, column, request, controller.signal)));
  };
  return {
    turns,
    isRunning: turns.some(({ answers }) => answers.some(({ isRunning }) => isRunning)),
    send,
    stop: () => abort.current?.abort(),
    clear: () => {
      abort.current?.abort();
      setTurns([]);
    },
    setToolResult: (turn: number, column: number, callId: string, result: string) => {
      const answer = turns.find(({ id }) => id === turn)?.answers[column];
      change(turn, column, { toolResults: { ...answer?.toolResults, [callId]: result } });
    },
  };
}

/** The description of a charge is the model, with or without its provider: `gpt-4o` or `openai/gpt-4o`. */
const isModel = (description: string, model: string) => description === model || description.endsWith(`/${model}`);

function newAnswer(model: string): Answer {
  return {
    model,
    text: '',
    toolCalls: [],
    finishReason: null,
    promptTokens: null,
    completionTokens: null,
    isRunning: true,
    problem: null,
    firstMs: null,
    totalMs: null,
    costUsd: null,
    toolResults: {},
  };
}

/** The conversation as one model saw it. Turns without an answer are left out. */
function historyOf(turns: readonly Turn[], column: number): RequestMessage[] {
  return turns.flatMap(({ text: question, answers }): RequestMessage[] => {
    const answer = answers[column];
    if (!answer || (answer.text === '' && answer.toolCalls.length === 0)) return [];
    const calls = answer.toolCalls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: text },
    }));
    return [
      { role: 'user', content: question },
      { role: 'assistant', content: answer.text || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
      ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: answer.toolResults[id] ?? '' })),
    ];
  });
}

function toRequest(model: string, messages: RequestMessage[], settings: ChatSettings): ChatRequest {
  const { system, temperature, maxTokens, tools } = settings;
  return {
    model,
    messages: system.trim() === '' ? messages : [{ role: 'system', content: system }, ...messages],
    ...(temperature === '' ? {} : { temperature: Number(temperature) }),
    ...(maxTokens === '' ? {} : { max_tokens: Number(maxTokens) }),
    ...(tools.trim() === '' ? {} : { tools: JSON.parse(tools) as unknown[] }),
  };
}

/** The error in the JSON of the tools. Null if there is none. */
export function toolsProblem(tools: string): string | null {
  if (tools.trim() === '') return null;
  try {
    const list: unknown = JSON.parse(tools);
    return Array.isArray(list) && list.length > 0 ? null : 'A JSON list with at least one tool is needed.';
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.';
  }
}

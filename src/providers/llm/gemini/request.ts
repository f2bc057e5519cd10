import { isObject } from '../../../engine/json-value.js';
import { tryParseJson } from '../../../platform/json/try-parse-json.js';
import { answerLimit, type ChatBody, textOf } from '../chat/chat-format.js';
import {
  argumentsOf,
  formatOf,
  functionsOf,
  messagesOf,
  numberOf,
  type Part,
  partsOf,
  type RequestMessage,
  stopsOf,
  textPartsOf,
  toolChoiceOf,
} from '../chat/content-parts.js';

/** Newer models reject an earlier function call without its thought signature. This placeholder replaces a lost signature. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The level of thinking since Gemini 3, and the budget of tokens for earlier models, by `reasoning_effort`. */
const THINKING = {
  none: { level: 'minimal', budget: 0 },
  minimal: { level: 'minimal', budget: 512 },
  low: { level: 'low', budget: 1024 },
  medium: { level: 'medium', budget: 8192 },
  high: { level: 'high', budget: 24_576 },
  xhigh: { level: 'high', budget: 24_576 },
} as const;

type GeminiPart = Record<string, unknown>;

/** Converts a chat request to the body of Gemini's `generateContent`. Throws UnsupportedChatError. */
export function geminiRequest(model: string, body: ChatBody): Record<string, unknown> {
  const messages = messagesOf(body.messages);
  const system = messages.filter(isSystem).map(({ content }) => ({ text: textOf(content) }));
  const format = formatOf(body.response_format);
  return {
    contents: turnsOf(
      messages.filter(message => !isSystem(message)),
      !isBeforeGemini3(model),
    ),
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    ...toolsOf(body),
    generationConfig: {
      temperature: numberOf(body.temperature),
      topP: numberOf(body.top_p),
      topK: numberOf(body.top_k),
      candidateCount: numberOf(body.n),
      maxOutputTokens: answerLimit(body),
      stopSequences: stopsOf(body.stop),
      seed: numberOf(body.seed),
      presencePenalty: numberOf(body.presence_penalty),
      frequencyPenalty: numberOf(body.frequency_penalty),
      thinkingConfig: thinkingOf(model, body.reasoning_effort),
      responseMimeType: format && 'application/json',
      responseJsonSchema: format?.schema,
    },
  };
}

/** Converts `reasoning_effort`. */
function thinkingOf(model: string, effort: unknown): Record<string, unknown> | undefined {
  if (typeof effort !== 'string' || !Object.hasOwn(THINKING, effort)) return undefined;
  const { level, budget } = THINKING[effort as keyof typeof THINKING];
  return isBeforeGemini3(model) ? { thinkingBudget: budget } : { thinkingLevel: level };
}

function isBeforeGemini3(model: string): boolean {
  return /^gemini-[12]\b/.test(model);
}

function isSystem({ role }: RequestMessage): boolean {
  return role === 'system' || role === 'developer';
}

function turnsOf(messages: RequestMessage[], needsSignatures: boolean): { role: string; parts: GeminiPart[] }[] {
  const turns: { role: string; parts: GeminiPart[] }[] = [];
  /** Function names by call id: Gemini's results refer to the function, those of the chat format to the call. */
  const names = new Map<unknown, unknown>();
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = geminiParts(message, names, needsSignatures);
    if (parts.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return turns;
}

function geminiParts(
  { role, content, at, message }: RequestMessage,
  names: Map<unknown, unknown>,
  needsSignatures: boolean,
): GeminiPart[] {
  if (role === 'tool' || role === 'function') {
    const name = names.get(message.tool_call_id) ?? message.name ?? message.tool_call_id;
    return [{ functionResponse: { name, response: resultOf(textPartsOf(content, at)) } }];
  }
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return [
    ...partsOf(content, at).map(partOf),
    ...calls.map(call => {
      const { name, arguments: args } = isObject(call.function) ? call.function : {};
      names.set(call.id, name);
      const signature = signatureOf(call) ?? (needsSignatures ? NO_SIGNATURE : undefined);
      return {
        functionCall: { name, args: argumentsOf(args) },
        ...(signature === undefined ? {} : { thoughtSignature: signature }),
      };
    }),
  ];
}

function signatureOf({ extra_content: extra }: Record<string, unknown>): unknown {
  return isObject(extra) && isObject(extra.google) ? extra.google.thought_signature : undefined;
}

/** Gemini requires an object as the result of a function. */
function resultOf(text: string): Record<string, unknown> {
  const value = tryParseJson(text);
  if (value === undefined) return { result: text };
  return isObject(value) ? value : { result: value };
}

function partOf(part: Part): GeminiPart {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'url') return { fileData: { fileUri: part.url } };
  return { inlineData: { mimeType: part.mediaType, data: part.base64 } };
}

function toolsOf(body: ChatBody): Record<string, unknown> {
  const functions = functionsOf(body.tools);
  if (functions.length === 0) return {};
  const choice = toolChoiceOf(body.tool_choice);
  const modes = { auto: 'AUTO', required: 'ANY', none: 'NONE' } as const;
  const config =
    typeof choice === 'string' ? { mode: modes[choice] } : { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return {
    tools: [
      {
        functionDeclarations: functions.map(({ name, description, parameters }) => ({
          name,
          description,
          parametersJsonSchema: parameters,
        })),
      },
    ],
    toolConfig: { functionCallingConfig: config },
  };
}

import { isObject, type JsonObject } from '../../../json-value.js';
import { type CallContext, type McpAnswer, type McpQuestion, type McpServer, PortError } from '../../../ports.js';
import type { ApprovalAnswer } from '../../graph/approvals/approval.js';
import type { Step, StepOutcome, Steps } from '../../graph/node-kind.js';

/** Maximum number of questions of a server during one tool call. */
const MAX_QUESTIONS = 10;
const MAX_MESSAGE_CHARACTERS = 20_000;
const MAX_TITLE_CHARACTERS = 200;
/** Member of a recorded step in place of a result: the question that the server asked. */
const QUESTION_MEMBER = 'mcp_question';

interface QuestionableCall {
  steps: Steps;
  /** The step of the tool call. Repetitions have a number after its name. */
  step: Step;
  server: McpServer;
  /** Seconds to wait for each answer. */
  timeoutSeconds: number;
}

/**
 * Calls a tool in durable steps. If the server asks a question, members of the project answer it through an approval request, which
 * occupies no worker. Then the tool is called again with all answers. Returns the content of the result. Throws a PortError with the
 * code `mcp_too_many_questions`.
 */
export async function callWithAnswers(
  { steps, step, server, timeoutSeconds }: QuestionableCall,
  work: (server: McpServer, call: CallContext) => Promise<StepOutcome | McpQuestion>,
): Promise<string> {
  const answers: McpAnswer[] = [];
  for (let count = 0; ; count++) {
    const name = count === 0 ? step.name : `${step.name} repetition ${count}`;
    const answeringServer = { ...server, answers: [...answers] };
    const content = await steps.call({ ...step, name }, async call => {
      const outcome = await work(answeringServer, call);
      return 'schema' in outcome ? { content: JSON.stringify({ [QUESTION_MEMBER]: outcome }) } : outcome;
    });
    const question = questionIn(content);
    if (!question) return content;
    if (count === MAX_QUESTIONS) throw tooManyQuestions();
    const values = defaultsOf(question.schema);
    const answer = await steps.requestApproval(
      { name: `${step.name} question ${count + 1}` },
      {
        kind: 'decision',
        tool: step.tool ?? null,
        arguments: values,
        timeoutSeconds,
        details: { schema: question.schema, question: questionOf(step, question) },
      },
    );
    answers.push({ ...question, ...toMcpAnswer(answer, values) });
  }
}

/** Returns the question that a recorded step contains. A result with the same form is harmless: the server may ask that question anyway. */
function questionIn(content: string): McpQuestion | undefined {
  if (!content.startsWith(`{"${QUESTION_MEMBER}":`)) return undefined;
  try {
    const question = (JSON.parse(content) as JsonObject)[QUESTION_MEMBER];
    if (!isObject(question) || typeof question.message !== 'string' || !isObject(question.schema)) return undefined;
    return { message: question.message, schema: question.schema };
  } catch {
    return undefined;
  }
}

function questionOf({ tool }: Step, { message }: McpQuestion) {
  return {
    title: `The tool ${tool ?? ''} asks for input`.slice(0, MAX_TITLE_CHARACTERS).toWellFormed(),
    message: message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed(),
    deciders: 'members' as const,
    userIds: [],
    requiredApprovalCount: 1,
    requiredRejectionCount: 1,
  };
}

function toMcpAnswer(
  { decision, arguments: edited }: ApprovalAnswer,
  values: JsonObject,
): Pick<McpAnswer, 'action' | 'content'> {
  if (decision === 'approved') return { action: 'accept', content: edited ?? values };
  return { action: decision === 'rejected' ? 'decline' : 'cancel' };
}

/** Returns the default values of the members of a schema. */
export function defaultsOf({ properties }: JsonObject): JsonObject {
  if (!isObject(properties)) return {};
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return Object.fromEntries(defaults);
}

function tooManyQuestions(): PortError {
  const message = `the MCP server asked more than ${MAX_QUESTIONS} questions during one call`;
  return new PortError('mcp_too_many_questions', message);
}

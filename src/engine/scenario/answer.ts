import { answerText, assertComplete } from '../model-answer.js';
import type { CallContext, Usage } from '../ports.js';
import { storable } from '../storable.js';
import type { LocalVariable } from './events/run-event.js';
import { ScenarioError } from './failure.js';
import { readLocalVariables } from './local-variables.js';
import type { PreparedMessage } from './prepared-scenario.js';
import { chatMessages, type FilledPrompt } from './round.js';
import type { ScenarioPorts } from './run-options.js';
import { askService, isService } from './services.js';

/** The result of one message round. */
export interface Answer {
  result: string;
  localVariables?: LocalVariable[];
  usage: Usage;
}

/** The parts of a request for one message round. */
export interface RoundRequest {
  prepared: PreparedMessage;
  prompts: readonly FilledPrompt[];
  ports: ScenarioPorts;
}

/**
 * Sends a message to the third-party service of its provider, to the image generator if its return type is `image`, otherwise to
 * a model. Throws a ScenarioError with code `bad_variables` or `bad_image` for an answer that has not the return type.
 */
export async function ask(request: RoundRequest, call: CallContext): Promise<Answer> {
  const { returnType, key, provider } = request.prepared.message;
  if (returnType === 'image' && !isService(provider)) return askForImage(request, call);
  const { result, usage } = await (isService(provider) ? callService(request, call) : askModel(request, call));
  if (returnType === 'image') return { result: imageAddress(result, key), usage };
  if (returnType === 'text') return { result, usage };
  const localVariables = readLocalVariables(result);
  if (localVariables) return { result, localVariables, usage };
  const { finishReason } = usage;
  const cut = finishReason === undefined || finishReason === 'stop' ? '' : ` (finish_reason ${finishReason})`;
  const reason = `the answer to message ${key} must be a JSON object or list, or lines of "name: value"${cut}`;
  throw new ScenarioError('bad_variables', reason, usage);
}

function callService({ prepared: { message }, prompts, ports }: RoundRequest, call: CallContext): Promise<Answer> {
  return askService({ message, prompts, ports, now: ports.clock.now() }, call);
}

function imageAddress(result: string, key: string): string {
  const address = result.trim();
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return address;
  throw new ScenarioError('bad_image', `the result of message ${key} must be the http or https address of an image`);
}

async function askModel({ prepared, prompts, ports }: RoundRequest, call: CallContext): Promise<Answer> {
  const { settings, message } = prepared;
  const request = { ...providerOf(message), messages: chatMessages(prompts), settings };
  const answer = await ports.llm.complete(request, call);
  assertComplete(answer, settings);
  return { result: storable(answerText(answer)), usage: answer.usage };
}

async function askForImage({ prepared, prompts, ports }: RoundRequest, call: CallContext): Promise<Answer> {
  const { message } = prepared;
  if (!ports.images) throw new ScenarioError('images_unavailable', 'no provider for image generation is configured');
  const promptsOf = (isNegative: boolean) =>
    prompts.filter(({ role }) => (role === 'negative') === isNegative).map(({ content }) => content);
  const positive = promptsOf(false);
  if (positive.length === 0)
    throw new ScenarioError(
      'image_without_prompt',
      `message ${message.key} must have a prompt that describes its image`,
    );
  const request = { ...providerOf(message), positive, negative: promptsOf(true), parameters: message.parameters };
  const { url, usage } = await ports.images.generate(request, call);
  return { result: storable(url), usage };
}

function providerOf({ provider }: { provider?: string | null }): { provider?: string } {
  return provider ? { provider } : {};
}

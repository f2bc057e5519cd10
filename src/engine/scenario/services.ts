import { TemplateError } from '../expressions/expression.js';
import type { Scope } from '../expressions/scope.js';
import { Content } from '../expressions/scope.js';
import { compileValue } from '../expressions/template.js';
import { isObject, type JsonObject, textOf } from '../json-value.js';
import { type CallContext, PortError, type Ports, type SubRunEnd, type Usage } from '../ports.js';
import { storable } from '../storable.js';
import type { NodeKind, Steps } from '../workflow/graph/node-kind.js';
import { type Fault, faultsOf, validateValue } from '../workflow/graph/settings.js';
import { graphql } from '../workflow/nodes/data/graphql.js';
import { http } from '../workflow/nodes/data/http.js';
import { mcp } from '../workflow/nodes/data/mcp.js';
import { subworkflow } from '../workflow/nodes/flow/subworkflow.js';
import { ScenarioError } from './failure.js';
import type { Message } from './scenario.js';

/** The third-party services and the workflows that a message can call in place of a model, by the name of its provider. */
const KINDS: Readonly<Record<string, NodeKind>> = { http, graphql, mcp, workflow: subworkflow };
/** Names of providers that are services. */
export const SERVICES = Object.keys(KINDS);

/** Member of the parameters with the expression of the result. */
const RESULT = 'result';
const DEFAULT_RESULT = '{{ previous.content }}';
/** Names that placeholders of a request may start with, and further ones of the result. */
const REQUEST_ROOTS = ['input', 'run', 'now'];
const RESULT_ROOTS = [...REQUEST_ROOTS, 'previous'];
/** Members of `input` in placeholders: texts of the prompts, in total and by role. */
const INPUTS = ['prompt', 'user', 'system', 'assistant', 'messages'];

/** Runs workflows of the project for messages. */
export interface WorkflowCaller {
  /**
   * Runs a workflow and returns its outcome. A repeated call with the same idempotency key waits for the existing run. Aborting
   * the call cancels the run. Throws a PortError when the run is rejected.
   */
  run(request: { workflowId: number; input: Record<string, unknown> }, call: CallContext): Promise<SubRunEnd>;
}

/** The ports of third-party services and workflows. */
export type ServicePorts = Partial<Pick<Ports, 'http' | 'mcp'>> & { workflows?: WorkflowCaller | undefined };

/** Returns true if the provider is a third-party service. */
export function isService(provider: string | null | undefined): provider is string {
  return typeof provider === 'string' && Object.hasOwn(KINDS, provider);
}

/** Returns the faults of the parameters of a message to a service. The path is that of the parameter. */
export function serviceFaults(provider: string, parameters: unknown): Fault[] {
  const kind = KINDS[provider];
  if (!kind) return [];
  if (!isObject(parameters)) return [{ path: '', message: 'must be an object' }];
  const { [RESULT]: result = DEFAULT_RESULT, ...request } = parameters;
  const own = faultsOf(kind.written, request);
  const addresses = own.length > 0 ? [] : (kind.check?.(request, { servesModel: () => true }) ?? []);
  const ofResult = typeof result === 'string' ? placeholderFaults({ [RESULT]: result }, RESULT_ROOTS) : [NO_TEXT];
  const templates = placeholderFaults(withoutVerbatim(kind, request), REQUEST_ROOTS);
  if (kind === subworkflow && request.detached)
    own.push({ path: 'detached', message: 'must not be set, because a message needs the output of the workflow' });
  return [...own, ...addresses.map(({ path, message }) => ({ path, message })), ...templates, ...ofResult];
}

const NO_TEXT: Fault = { path: RESULT, message: 'must be a text with placeholders' };

function placeholderFaults(value: JsonObject, roots: readonly string[]): Fault[] {
  const { problems, uses } = compileValue(value);
  const unknown = uses.flatMap(({ path, reference: { root, path: names }, hasDefault }) => {
    if (!roots.includes(root)) return [{ path, message: `{{ ${root} }} is unknown: use ${roots.join(', ')}` }];
    const [name = ''] = names;
    if (root !== 'input' || hasDefault || INPUTS.includes(name)) return [];
    return [{ path, message: `{{ input.${name} }} is unknown: use ${INPUTS.map(each => `input.${each}`).join(', ')}` }];
  });
  return [...problems.map(({ path, message }) => ({ path, message })), ...unknown];
}

/** A message to a service with its filled prompts. */
export interface ServiceRequest {
  message: Message;
  prompts: readonly { role: string; content: string }[];
  ports: ServicePorts;
  /** Time of the request. */
  now: Date;
}

/**
 * Sends the request of a message to its service and returns the text of the result. Throws a PortError, or a ScenarioError with
 * the code of an unsuitable expression, `invalid_parameters` or `service_unavailable`.
 */
export async function askService(
  request: ServiceRequest,
  call: CallContext,
): Promise<{ result: string; usage: Usage }> {
  const { message, ports } = request;
  const provider = message.provider ?? '';
  const kind = KINDS[provider];
  if (!kind || !ports.http || !ports.mcp || (kind === subworkflow && !ports.workflows))
    throw new ScenarioError('service_unavailable', `message ${message.key} cannot use the service ${provider} here`);
  const { [RESULT]: result = DEFAULT_RESULT, ...written } = message.parameters;
  const scope = scopeOf(request, call);
  const settings = { ...written, ...(render(withoutVerbatim(kind, written), scope) as JsonObject) };
  const checked = validateValue(kind.resolved, settings);
  if (!checked.ok) throw invalidParameters(message, checked.faults);
  const { content } = await kind.execute({
    settings: checked.value,
    // The kinds of `KINDS` use only these ports.
    ports: { http: ports.http, mcp: ports.mcp, files: NO_FILES } as unknown as Ports,
    call,
    scope: { ...scope, earlier: () => new Map(), inputs: () => [] },
    pins: { hashOf: () => undefined, keep: async () => {} },
    peer: () => undefined,
    deadline: null,
    steps: ports.workflows && kind === subworkflow ? workflowSteps(ports.workflows, call) : unavailable,
    iterations: unavailable,
  });
  const value = render({ result }, { ...scope, previous: () => new Content(content) }) as { result: unknown };
  const usage: Usage = { provider, model: kind.type, promptTokens: 0, completionTokens: 0, costUsd: '0' };
  return { result: storable(textOf(value.result)), usage };
}

/** Throws the error of a message whose parameters are not valid. */
export function invalidParameters({ key }: Message, faults: readonly Fault[]): ScenarioError {
  const texts = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new ScenarioError('invalid_parameters', `the parameters of message ${key} are not valid: ${texts.join('; ')}`);
}

const unavailable = new Proxy({} as never, {
  get() {
    throw new Error('messages to services have no steps');
  },
});

/** The only step of a sub-workflow node that waits. */
function workflowSteps(workflows: WorkflowCaller, call: CallContext): Steps {
  const executeSubRun: Steps['executeSubRun'] = (_step, request) => workflows.run(request, call);
  return { executeSubRun } as Partial<Steps> as Steps;
}

const refuseFiles = () =>
  Promise.reject(
    new PortError('file_refused', 'a message takes no files: the service must respond with text', { isFinal: true }),
  );
const NO_FILES: Ports['files'] = {
  read: refuseFiles,
  write: refuseFiles,
  findPaid: refuseFiles,
  writePaid: refuseFiles,
};

function withoutVerbatim({ verbatimMembers = [] }: NodeKind, settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !verbatimMembers.includes(name)));
}

function render(value: JsonObject, scope: Scope): unknown {
  try {
    return compileValue(value).render(scope);
  } catch (error) {
    if (error instanceof TemplateError) throw new ScenarioError(error.code, error.message);
    throw error;
  }
}

function scopeOf({ prompts, now }: ServiceRequest, { idempotencyKey }: CallContext): Scope {
  const textsOf = (...roles: string[]) =>
    prompts
      .filter(({ role }) => roles.length === 0 || roles.includes(role))
      .map(({ content }) => content)
      .join('\n\n');
  const input = {
    prompt: textsOf(),
    user: textsOf('user'),
    system: textsOf('system', 'positive', 'negative'),
    assistant: textsOf('assistant'),
    messages: prompts.map(({ role, content }) => ({ role, content })),
  };
  return {
    input,
    declared: new Set(),
    node: () => undefined,
    previous: () => undefined,
    runId: idempotencyKey,
    now: now.toISOString(),
  };
}

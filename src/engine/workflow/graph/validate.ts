import { type ConnectionSummary, connectionKindFault } from '../../connections/kinds.js';
import type { FileReference } from '../../files/reference.js';
import { isObject, type JsonObject } from '../../json-value.js';
import { nearestName } from '../../nearest-name.js';
import { type Secrets, secretsOfTrigger } from '../../secrets.js';
import { compileGraph, type Graph, GraphError, type GraphNode } from './graph.js';
import { prepareInput } from './input-fields.js';
import { checkNodes, type NodeIssue, nodesWithin } from './node-checks.js';
import type { ValidationContext } from './node-kind.js';
import { unknownGraphMembers } from './unknown-members.js';

/** A rejected node. Each `result` entry has one member: the dotted path inside the node's `data` and the message. */
export interface RefusedNode {
  id: string;
  status: 'failed';
  result: Record<string, string>[];
}
/** Rejected nodes by id. */
export type RefusedNodes = Record<string, RefusedNode>;

/** Result of the check before a run, with the inner status of the interface specification. */
export type RunCheck =
  | { status: 201; input: JsonObject }
  | { status: 400; error: { code: string; message: string } }
  | { status: 422; data: RefusedNodes; issues: Issue[] };

/** An error or warning of a workflow, with its location. */
export interface Issue {
  code: string;
  severity: 'error' | 'warning';
  node_id: string | null;
  edge_id: string | null;
  path: string | null;
  message: string;
}

/** Result of the check of a workflow. `status` is the inner status that a run would get, 200 if it is valid. */
export interface WorkflowCheck {
  is_valid: boolean;
  status: 200 | 400 | 422;
  data: RefusedNodes | null;
  issues: Issue[];
}

const NO_INPUT_OBJECT =
  'the input must be a JSON object: {"input_data": {…}} with a session token, the fields themselves with an API key';

/** Checks a run before it is accepted. `secrets` contains the defaults that the graph's secret fields show masked. */
export function validateRun(
  graph: Graph,
  rawInput: unknown,
  context: ValidationContext & { secrets?: Readonly<Secrets>; files?: ReadonlyMap<string, FileReference> },
): RunCheck {
  if (!isObject(rawInput)) {
    return { status: 400, error: { code: 'invalid_input', message: NO_INPUT_OBJECT } };
  }
  const { input, faults } = prepareInput(
    graph.inputFields,
    rawInput,
    secretsOfTrigger(graph.start, context.secrets),
    context.files,
  );
  const ofInput = faults.map(
    (fault): NodeIssue => ({ node: graph.start, code: 'invalid_input', severity: 'error', ...fault }),
  );
  const issues = [...ofInput, ...nodeIssues(graph, context, input)];
  const data = refusals(issues);
  if (data === null) return { status: 201, input };
  return { status: 422, data, issues: issues.filter(({ severity }) => severity === 'error').map(toIssue) };
}

/** Checks a workflow like a run whose input contains exactly the declared fields. */
export function checkWorkflow(data: unknown, context: ValidationContext): WorkflowCheck {
  let graph: Graph;
  try {
    graph = compileGraph(data);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    const issues = [...issuesOfFaultyGraph(error, context), ...unknownMemberIssues(data)];
    return { is_valid: false, status: 400, data: null, issues };
  }
  const issuesOfNodes = nodeIssues(graph, context, null);
  const refused = refusals(issuesOfNodes);
  const issues = [
    ...issuesOfNodes.map(toIssue),
    ...graph.warnings.map((warning): Issue => ({ severity: 'warning', ...warning })),
    ...unknownMemberIssues(data),
  ];
  return { is_valid: refused === null, status: refused ? 422 : 200, data: refused, issues };
}

/**
 * Returns the faults of the structure, then those of the valid nodes that do not depend on their connections. The structure of
 * enclosing graphs is unknown in loop bodies with faults, so their references are not checked.
 */
export function issuesOfFaultyGraph({ issues, parts }: GraphError, context: ValidationContext): Issue[] {
  const ofStructure = issues.map(
    ({ code, message, place }): Issue => ({
      code,
      severity: 'error',
      node_id: place.node_id ?? null,
      edge_id: place.edge_id ?? null,
      path: place.path ?? null,
      message,
    }),
  );
  const ofNodes = parts.flatMap((part, index) =>
    nodeIssues(part, context, null).filter(({ code }) => index === 0 || code !== 'unknown_reference'),
  );
  return [...ofStructure, ...ofNodes.map(toIssue)];
}

/** Describes the first fault of a structure with its node, and counts the others. */
export function summaryOf({ code, message, place, issues, parts }: GraphError): { code: string; message: string } {
  const id = place.node_id;
  const label = id === undefined ? undefined : parts.map(part => part.byId.get(id)?.label).find(Boolean);
  const node = id === undefined ? '' : `node ${JSON.stringify(id)}${label === undefined ? '' : ` (${label})`}: `;
  const others = issues.length - 1;
  const rest = others === 0 ? '' : `; ${others} more, which check_workflow lists`;
  return { code, message: `${node}${message}${rest}` };
}

function unknownMemberIssues(data: unknown): Issue[] {
  return unknownGraphMembers(data).map(member => ({
    code: 'unknown_member',
    severity: 'warning',
    edge_id: null,
    ...member,
  }));
}

function toIssue({ node, code, severity, path, message }: NodeIssue): Issue {
  return { code, severity, node_id: node.id, edge_id: null, path, message };
}

/** Returns the issues that do not depend on input faults: node checks, unknown models, undeclared inputs. */
function nodeIssues(graph: Graph, context: ValidationContext, input: JsonObject | null): NodeIssue[] {
  const { issues, undeclared } = checkNodes(graph);
  const allIssues = [...issues];
  for (const node of nodesWithin(graph)) {
    for (const fault of node.kind.check?.(node.data, context) ?? []) {
      allIssues.push({ node, code: 'invalid_setting', severity: 'error', ...fault });
    }
  }
  if (context.variables) allIssues.push(...variableIssues(graph, context.variables));
  if (context.connections) allIssues.push(...connectionIssues(graph, context.connections));
  // If no fields are declared, the input is unknown until the run.
  const severity = input === null && graph.inputFields.length === 0 ? 'warning' : 'error';
  for (const { node, path, field } of undeclared) {
    if (input !== null && Object.hasOwn(input, field)) continue;
    const message = 'refers to an input field that is neither declared nor part of the input';
    allIssues.push({ node, code: 'unknown_reference', severity, path, message });
  }
  return allIssues;
}

/** Returns an issue for each placeholder of a project variable that does not exist. */
function variableIssues(graph: Graph, existing: ReadonlySet<string>): NodeIssue[] {
  return checkNodes(graph).variables.flatMap(({ node, path, name, hasDefault }) => {
    if (hasDefault || existing.has(name)) return [];
    const nearest = nearestName(name, existing);
    const hint = nearest === undefined ? 'create it in the settings of the project' : `did you mean ${nearest}?`;
    const message = `refers to the project variable ${name}, which does not exist: ${hint}`;
    return [{ node, code: 'unknown_variable', severity: 'error', path, message }];
  });
}

/** Returns an issue for each connection that does not exist in the project or has an unsuitable kind. */
function connectionIssues(graph: Graph, existing: ReadonlyMap<number, ConnectionSummary>): NodeIssue[] {
  return checkNodes(graph).connections.flatMap(({ node, path, id, protocol }) => {
    const connection = existing.get(id);
    const message = connection
      ? connectionKindFault(connection, protocol)
      : `the project has no connection ${id}: select one, or create it in the settings of the project`;
    return message === undefined ? [] : [{ node, code: 'unknown_connection', severity: 'error', path, message }];
  });
}

/** Converts errors to the rejected nodes of the interface specification; null: no errors. */
function refusals(issues: readonly NodeIssue[]): RefusedNodes | null {
  const byNode = new Map<GraphNode, Map<string, string>>();
  for (const { node, severity, path, message } of issues) {
    if (severity === 'warning') continue;
    const faults = byNode.get(node) ?? new Map<string, string>();
    if (!faults.has(path)) faults.set(path, message);
    byNode.set(node, faults);
  }
  if (byNode.size === 0) return null;
  return Object.fromEntries(
    [...byNode].map(([{ id }, faults]) => [
      id,
      { id, status: 'failed', result: [...faults].map(([path, message]) => Object.fromEntries([[path, message]])) },
    ]),
  );
}

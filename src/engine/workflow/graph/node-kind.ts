import { z } from 'zod';
import type { ConnectionProtocol, ConnectionSummary } from '../../connections/kinds.js';
import type { Content, Scope } from '../../expressions/scope.js';
import type { HttpResponse } from '../../http-port.js';
import type { JsonObject } from '../../json-value.js';
import type { ModelParameterName } from '../../model-parameters.js';
import type { CallContext, Ports, SubRunEnd, Usage } from '../../ports.js';
import type { EventToSend } from '../../wait-ports.js';
import type { ApprovalAnswer, PendingApproval } from './approvals/approval.js';
import { commonMembers, type DefaultTimeout } from './common-members.js';
import type { FieldCondition, NodeForm } from './node-form.js';
import { asResolved, asWritten, type Fault, type SettingMode } from './settings.js';

/** The models that are available to a workflow. */
export interface ModelCatalog {
  /** Returns true if a configured provider serves the model; `provider` undefined: any provider. */
  servesModel(provider: string | undefined, model: string): boolean;
  /** Returns the parameters that the provider of the model cannot express. Absent: none. */
  refusedParameters?(provider: string | undefined, model: string): readonly ModelParameterName[];
  /** Names of available models for error messages. Absent: unknown. */
  modelNames?: readonly string[];
}

/** Context in which a workflow is validated. */
export interface ValidationContext extends ModelCatalog {
  /** Id of the workflow, if it is stored. */
  workflowId?: number | null;
  /** Names of the project variables. Absent: unknown, so that they are not checked. */
  variables?: ReadonlySet<string>;
  /** The connections of the project by id. Absent: unknown, so that they are not checked. */
  connections?: ReadonlyMap<number, ConnectionSummary>;
}

/** The values that a node can access: those of placeholders and the contents of earlier nodes. */
export interface NodeScope extends Scope {
  /**
   * Contents of all nodes from which a path leads to this one, by node id. Other finished nodes are excluded, because their
   * order is not deterministic.
   */
  earlier(): ReadonlyMap<string, Content>;
  /** Contents of the nodes with a link to this one, in the order in which they arrived at a node with `arrivals`, otherwise of `nodes`. */
  inputs(): readonly Content[];
}

/** A separately recorded step of a node. */
export interface Step {
  /** Unique within the node and equal in each re-execution, such as `model 1` or `tool 1.2`. */
  name: string;
  /** Name of the called tool, shown to observers of the run. */
  tool?: string;
  /** Arguments of the called tool. */
  arguments?: unknown;
}

/** Result of a step. */
export interface StepOutcome {
  content: string;
  usage?: Usage;
}

/**
 * Durable steps of a node. When the run resumes, the node is executed again from its beginning, and each recorded step
 * returns its recorded result. Waiting occupies no worker.
 */
export interface Steps {
  /** Executes `work` unless it is recorded. An exception fails the node. */
  call(step: Step, work: (call: CallContext) => Promise<StepOutcome>): Promise<string>;
  /** Requests an approval and waits for the decision; `expired` after the time limit. */
  requestApproval(step: Step, approval: PendingApproval): Promise<ApprovalAnswer>;
  /** Waits for an event that is sent to the project; null: none has arrived in time. */
  waitForEvent(step: Step, awaited: AwaitedEvent): Promise<{ payload: unknown } | null>;
  /** Sends an event to the project exactly once and returns its id. */
  sendEvent(step: Step, event: Omit<EventToSend, 'idempotencyKey'>): Promise<string>;
  /** Waits for `seconds`. */
  waitSeconds(step: Step, seconds: number): Promise<void>;
  /** Waits until a time as ISO 8601. The time of the first call counts. */
  waitUntil(step: Step, until: string): Promise<void>;
  /** Runs another workflow of the project and waits until it is finished. */
  executeSubRun(step: Step, request: SubRunRequest): Promise<SubRunEnd>;
  /** Starts a run of another workflow of the project and returns its id. The run continues on its own. */
  startRun(step: Step, request: Pick<SubRunRequest, 'workflowId' | 'input'>): Promise<string>;
  /** Runs a scenario of the project and waits until it is finished. */
  executeScenarioRun(step: Step, request: ScenarioRunRequest): Promise<SubRunEnd>;
}

/** An event for which a node waits. */
export interface AwaitedEvent {
  name: string;
  /** Correlation key; empty: none. */
  key: string;
  timeoutSeconds: number;
  /** An event that was sent at most this number of seconds before the wait counts as well. */
  acceptEarlierSeconds: number;
}

/** A request to run another workflow. */
export interface SubRunRequest extends AwaitedRun {
  workflowId: number;
  input: JsonObject;
}

/** A request to run a scenario. */
export interface ScenarioRunRequest extends AwaitedRun {
  scenarioId: number;
  /** Replacements for the first value of variables, by key. */
  variables: Record<string, string>;
}

/** Limits of the wait for another run. */
export interface AwaitedRun {
  /** Deadline as ISO 8601. An unfinished run is cancelled at this time and the node fails. Absent: no limit. */
  until?: string;
  /** Cancels the sub-run and ends the wait. */
  signal?: AbortSignal;
}

/** Executes iterations of a loop body. */
export interface IterationRunner {
  /**
   * Executes one iteration and returns the output of the body. A failed iteration aborts the other iterations and fails the node.
   */
  run(index: number, input: JsonObject): Promise<unknown>;
  /** Executes one iteration like `run`, but returns its failure and lets other iterations continue. Rejects when the node ends. */
  tryRun(index: number, input: JsonObject): Promise<IterationEnd>;
}

/** Outcome of an iteration whose failure does not fail the node. */
export type IterationEnd = { output: unknown } | { error: { code: string; message: string } };

/** Schema hashes of MCP tools, recorded when the workflow was saved or at the first call. */
export interface ToolPins {
  /** Returns the schema hash of a tool; undefined: not recorded yet. */
  hashOf(tool: string): string | undefined;
  /** Records the schema hash of a tool. */
  keep(tool: string, schemaHash: string): Promise<void>;
}

/** Another node of the same kind whose settings a node uses. */
export interface Peer<Settings> {
  label: string;
  pins: ToolPins;
  /** Resolves the settings with the values of the executed node. Throws like the settings of the node itself. */
  resolve(): Settings;
}

/** Everything that a node kind needs to execute a node. */
export interface Execution<Settings> {
  /** Resolved and validated. */
  settings: Settings;
  scope: NodeScope;
  ports: Ports;
  call: CallContext;
  /** Available only for kinds whose effects are `steps`. */
  steps: Steps;
  /** Available only for kinds with a body. */
  iterations: IterationRunner;
  pins: ToolPins;
  /** Returns another node of the same kind in the graph; undefined: there is none with this id. */
  peer(id: string): Peer<Settings> | undefined;
  /** Deadline of the node as ISO 8601, if `timeout_seconds` counts from start to end. */
  deadline: string | null;
}

/** Joins the handles of a node that selects several branches. */
export const BRANCH_SEPARATOR = ',';

/** Result of a node. */
export interface Outcome {
  content: string;
  usage?: Usage;
  /** Handle of the selected branch, or several joined by `BRANCH_SEPARATOR`. Used only for kinds with branches. */
  branch?: string;
  /** The HTTP response from which the content comes. */
  response?: HttpResponse;
}

/** An output of a node: the member that lists its targets, and the `sourceHandle` of equivalent edges. */
export interface Branch {
  handle: string;
  /** Dotted path inside `data` of the member that lists the targets. */
  member: string;
  targets: unknown;
}

/** An output in the node listing. `handle` null: edges need no `sourceHandle`. */
export interface NodeOutput {
  handle: string | null;
  title: string;
  description: string;
  /**
   * Path of a list inside `data` with one output of this form for each item. `handle` is that of the first item; the
   * number at its end is the index.
   */
  list?: string;
  /** The output exists only under this condition. */
  showIf?: FieldCondition;
}

/** A reference of a node to an object of its project or to an external system. */
export interface NodeReference {
  kind:
    | 'workflow'
    | 'scenario'
    | 'document'
    | 'user'
    | 'connection'
    | 'key_value'
    | 'event'
    | 'host'
    | 'model'
    | 'tool';
  /** Dotted path inside the node's `data`, such as `tools.0.document_ids`. */
  path: string;
  /** The value as stored; undefined: the member is absent and its default refers to something. */
  value: unknown;
  /** Protocol for which a connection is used. Set only for connections. */
  protocol?: ConnectionProtocol;
}

/** A fault that a node kind reports; `code` absent: `invalid_setting`. */
export interface KindFault extends Fault {
  code?: string;
}

/** A warning of a node kind; `code` absent: `unknown_member`. */
export interface KindWarning extends Fault {
  code?: string;
}

interface NodeTraits {
  /** Front end node type, such as `http-node`. */
  type: string;
  /** Executor schema class name, such as `HTTPNodeInput`. */
  nodeType: string;
  title: string;
  description: string;
  category: 'start' | 'logic' | 'ai' | 'integration' | 'data' | 'end';
  /**
   * Effects of the node. `external`: calls external systems; the result is recorded and the call is not repeated.
   * `none`: computed again after a crash. `steps`: executed again, while recorded steps return their recorded results.
   */
  effects: 'none' | 'external' | 'steps';
  /** Returns true for unresolved settings with which the node makes several calls, so that its effects are `steps`. */
  hasSteps?(data: JsonObject): boolean;
  outputs: readonly NodeOutput[];
  form: NodeForm;
  /** Initial `data` of a new node. */
  defaults: Readonly<JsonObject>;
  /** True if its content is an output of the run. */
  isOutput?: boolean;
  /**
   * Number of predecessors after which the node starts, without waiting for the others. Absent or undefined: it waits for
   * all of them.
   */
  arrivals?(data: JsonObject): number | undefined;
  /** True if the members of its content, a JSON object, are variables of the run. */
  setsVariables?: true;
  /** True if the node is a note for readers of the graph. It must have no connections and never runs. */
  isNote?: true;
  /** True if it executes synchronously and uses no port except the clock. */
  isInstant?: boolean;
  /** True if placeholders in its settings are not replaced. */
  isVerbatim?: boolean;
  /** Members of `data` whose placeholders are not replaced, because the kind handles them itself. */
  verbatimMembers?: readonly string[];
  /** Name of the member of `data` that may contain a loop body. */
  bodyMember?: string;
  /** Absent: 60. */
  defaultTimeout?: DefaultTimeout;
  /** True if `timeout_seconds` counts from start to end instead of working time. */
  isTimedAsWhole?: boolean;
  /**
   * Returns true if the node renders the setting at this dotted path itself, once for each use. It is passed as a
   * `LateValue`, and its placeholders may use `args`.
   */
  isLate?(path: string): boolean;
  /** Returns the dotted paths of settings that are null if the value of their placeholder is missing. Absent: none. */
  optionalPaths?(settings: JsonObject): string[];
  /** True if its outcome may have a `response`, which placeholders can refer to. */
  hasResponse?: true;
  /** True if its execution reads contents of earlier nodes and the input, in addition to its settings. */
  readsScope?: true;
  /** True if it calls MCP tools with recorded schemas. */
  pinsTools?: boolean;
  /** Ids of nodes of the same kind whose settings the node may use. They are checked like the node, even if no edge leads to them. */
  peersOf?(data: JsonObject): readonly string[];
  /** Returns faults of these ids. `typeOf` returns the type of a node; undefined: there is none. */
  peerFaults?(node: { id: string; data: JsonObject }, typeOf: (id: string) => string | undefined): KindFault[];
  /** The branches of a node that selects one. Absent: the node has one output, `next_nodes`. */
  branches?(data: JsonObject): Branch[];
  /** Returns the handle that a content selects, for `default_value` and for a result that was recorded without its branch. */
  branchOf?(content: string, data: JsonObject): string | undefined;
  /** Returns the references in unresolved settings. Absent: none. */
  references?(data: JsonObject): NodeReference[];
  /** Returns warnings about settings that are valid but probably a mistake. Absent: none. */
  warnings?(data: JsonObject): KindWarning[];
  /**
   * Returns the faults of `check` that do not depend on the context. A save reports them as warnings, and no others of `check`.
   * Absent: none.
   */
  refusals?(data: JsonObject): Fault[];
  /** Checks well-formed settings against the validation context. */
  check?(data: JsonObject, context: ValidationContext): KindFault[];
}

/** Definition of a node kind, from which `nodeKind` derives its schemas. */
export interface NodeKindDefinition<S extends z.ZodObject> extends NodeTraits {
  settings(setting: SettingMode): S;
  execute(execution: Execution<z.output<S>>): Outcome | Promise<Outcome>;
}

/** A node kind with its schemas. */
export interface NodeKind extends NodeTraits {
  /** Schema of unresolved `data`, including common members. */
  readonly written: z.ZodObject;
  /** Schema of the resolved settings. */
  readonly resolved: z.ZodObject;
  /** Names of the members of `data` that are settings of this kind. */
  readonly members: readonly string[];
  execute(execution: Execution<unknown>): Outcome | Promise<Outcome>;
}

/** Creates a node kind from its definition. */
export function nodeKind<S extends z.ZodObject>(definition: NodeKindDefinition<S>): NodeKind {
  const { settings, execute, ...traits } = definition;
  const resolved = settings(asResolved);
  return {
    ...traits,
    written: z.looseObject({ ...commonMembers, ...settings(asWritten).shape }),
    resolved,
    members: Object.keys(resolved.shape),
    // The run passes the output of `resolved`, which is the type that `execute` of this kind declares.
    execute: execute as NodeKind['execute'],
  };
}

/** Returns the handle of the branch that a content selects; undefined: none. */
export function selectedBranch(kind: NodeKind, content: string, data: JsonObject): string | undefined {
  const handle = kind.branchOf?.(content, data);
  return kind.branches?.(data).some(branch => branch.handle === handle) ? handle : undefined;
}

/** Handle of the output that follows a failure. */
export const ERROR_HANDLE = 'error';

/** Returns true if a failure of the node follows the output `error`. Otherwise an edge with this handle is a usual one. */
export function hasErrorOutput({ on_error }: Record<string, unknown>): boolean {
  return on_error === 'branch';
}

/** The output that every kind has if `on_error` is `branch`. */
export const errorOutput: NodeOutput = {
  handle: ERROR_HANDLE,
  title: 'Error',
  description: 'Followed after the node fails. Exists only if `on_error` is `branch`.',
  showIf: { path: 'on_error', equals: ['branch'] },
};

/** The single output of every kind without branches. */
export const oneOutput: readonly NodeOutput[] = [
  { handle: null, title: 'Next', description: 'Followed after the node finishes.' },
];

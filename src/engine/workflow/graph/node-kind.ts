import { z } from 'zod';
import type { JsonObject } from '../../json-value.js';
import type { CallContext, Ports, SubRunEnd, Usage } from '../../ports.js';
import type { Content, Scope } from '../../template.js';
import { commonMembers } from './common-members.js';
import { asResolved, asWritten, type Fault, type SettingMode } from './settings.js';

/** What a workflow stands in when it is checked. */
export interface ValidationContext {
  /** Whether a configured provider serves the model; `provider` undefined: any of them. */
  servesModel(provider: string | undefined, model: string): boolean;
  /** Of a stored workflow: its own id. */
  workflowId?: number | null;
}

/** What a node finds when it runs: the values of placeholders, and all that ran before it. */
export interface NodeScope extends Scope {
  /**
   * Contents by id of the nodes that had to end before this one started. Others that happen to have ended are left out:
   * whether they have depends on chance.
   */
  earlier(): ReadonlyMap<string, Content>;
}

/** One step of a node that does its work in several. */
export interface Step {
  /** Unique within the node, and the same whenever the node is executed again: `model 1`, `tool 1.2`. */
  name: string;
  /** The tool that is called, and with what; shown to whoever watches the run. */
  tool?: string;
  arguments?: unknown;
}

export interface StepOutcome {
  content: string;
  usage?: Usage;
}

export interface PendingApproval {
  /** `start`: the node itself; `tool`: one call of a tool. */
  kind: 'start' | 'tool';
  tool: string | null;
  arguments: unknown;
  timeoutSeconds: number;
}

/**
 * What a node does in steps survives the process: it is executed again from its beginning when its run resumes, and each
 * step that was recorded answers at once what it answered before. Waiting holds no worker.
 */
export interface Steps {
  /** Does `work` once; what it throws is the node's failure. */
  call(step: Step, work: (call: CallContext) => Promise<StepOutcome>): Promise<string>;
  /** Waits for somebody's decision; nobody's in time counts as `expired`. */
  approval(step: Step, asked: PendingApproval): Promise<'approved' | 'rejected' | 'expired'>;
  delay(step: Step, seconds: number): Promise<void>;
  /** Runs another workflow of the project and waits for its end. */
  subRun(step: Step, asked: SubRunRequest): Promise<SubRunEnd>;
  /** Runs a scenario of the project and waits for its end. */
  scenarioRun(step: Step, asked: ScenarioRunRequest): Promise<SubRunEnd>;
}

export interface SubRunRequest extends AwaitedRun {
  workflowId: number;
  input: JsonObject;
}

export interface ScenarioRunRequest extends AwaitedRun {
  scenarioId: number;
  /** First values of variables, by key. */
  variables: Record<string, string>;
}

/** How long another run is waited for. */
export interface AwaitedRun {
  /** ISO 8601: when it has not ended by then it is cancelled and the node fails. Absent: it has all the time it wants. */
  until?: string;
  /** Cancels the sub-run and gives up waiting for it. */
  signal?: AbortSignal;
}

/** The rounds of a loop over a graph of its own. */
export interface RoundRunner {
  /** One round, to its end: the output of the body. Fails the node when the round fails, and ends the other rounds. */
  run(index: number, input: JsonObject): Promise<unknown>;
}

/** The form that a tool of an MCP server had when the workflow was saved, or when it was first called. */
export interface ToolPins {
  /** Hash of the schema; undefined: not known yet. */
  hashOf(tool: string): string | undefined;
  keep(tool: string, schemaHash: string): Promise<void>;
}

export interface Execution<Settings> {
  /** Resolved and checked. */
  settings: Settings;
  scope: NodeScope;
  ports: Ports;
  call: CallContext;
  /** Works for kinds whose effects are `steps`. */
  steps: Steps;
  /** Works for kinds with a body. */
  rounds: RoundRunner;
  pins: ToolPins;
  /** When the node is to have finished (ISO 8601), where its `timeout_seconds` counts from its start to its end. */
  deadline: string | null;
}

export interface Outcome {
  content: string;
  usage?: Usage;
  /** Handle of the branch that was taken; heeded for kinds with branches. */
  branch?: string;
}

/** One way out of a node: where its targets are written, and the `sourceHandle` of the edges that stand in for them. */
export interface Branch {
  handle: string;
  /** Dotted path below `data` of the member that lists the targets. */
  member: string;
  targets: unknown;
}

/** A way out as the node listing shows it; `handle` null: edges carry no `sourceHandle`. */
export interface NodeOutput {
  handle: string | null;
  title: string;
  description: string;
}

/** What a node reaches beyond its own graph: something of its project, or something outside. */
export interface NodeReference {
  kind: 'workflow' | 'scenario' | 'document' | 'host' | 'model' | 'tool';
  /** Members from the node's `data` on, such as `tools.0.document_ids`. */
  path: string;
  /** As it is written; undefined where a member is absent and its default reaches something. */
  value: unknown;
}

/** A fault that only its kind could see; `code` absent: `unknown_model`. */
export interface KindFault extends Fault {
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
   * `outside`: the result is recorded as it comes and never asked for again; `none`: computed again after a crash;
   * `steps`: executed again, with each recorded step answering what it answered before.
   */
  effects: 'none' | 'outside' | 'steps';
  outputs: readonly NodeOutput[];
  /** Members of a freshly placed node. */
  defaults: Readonly<JsonObject>;
  /** Its content is the result of the run. */
  isOutput?: boolean;
  /** Its work is done at once and asks nobody: of the ports it knows the clock alone. */
  isInstant?: boolean;
  /** Its settings are taken as they are written, placeholders included. */
  isVerbatim?: boolean;
  /** Members of `data` that are left as they are written; the kind itself knows what stands in them. */
  verbatimMembers?: readonly string[];
  /** The member of `data` that may hold a graph of its own. */
  bodyMember?: string;
  /** Seconds that a node without `timeout_seconds` has; null: as long as it takes. Default 60. */
  defaultTimeout?: number | null;
  /** `timeout_seconds` counts from the node's start to its end, and not only while it works. */
  isTimedAsWhole?: boolean;
  /**
   * Whether the part of the settings at this dotted path is rendered by the node itself, once for each use: it comes
   * as a `LateValue`, and its placeholders may also name `args`.
   */
  isLate?(path: string): boolean;
  /** It calls tools of MCP servers, in the form that was pinned for them. */
  pinsTools?: boolean;
  /** The branches of a node that chooses; absent: it has the one way out that `next_nodes` lists. */
  branches?(data: JsonObject): Branch[];
  /** The handle that led to this content: for a result recorded without its branch. */
  branchOf?(content: string, data: JsonObject): string;
  /** What it reaches of its project and outside, as its settings are written. Absent: nothing. */
  references?(data: JsonObject): NodeReference[];
  /** What only the surroundings can tell about settings that have the right form. */
  check?(data: JsonObject, world: ValidationContext): KindFault[];
}

export interface NodeKindDefinition<S extends z.ZodObject> extends NodeTraits {
  settings(setting: SettingMode): S;
  execute(execution: Execution<z.output<S>>): Outcome | Promise<Outcome>;
}

export interface NodeKind extends NodeTraits {
  /** The node's `data` as written, common members included. */
  readonly written: z.ZodObject;
  /** The settings alone, resolved. */
  readonly resolved: z.ZodObject;
  /** Names of the members of `data` that are settings of this kind. */
  readonly members: readonly string[];
  execute(execution: Execution<unknown>): Outcome | Promise<Outcome>;
}

export function nodeKind<S extends z.ZodObject>(definition: NodeKindDefinition<S>): NodeKind {
  const { settings, execute, ...traits } = definition;
  const resolved = settings(asResolved);
  return {
    ...traits,
    written: z.looseObject({ ...commonMembers, ...settings(asWritten).shape }),
    resolved,
    members: Object.keys(resolved.shape),
    // The run passes what `resolved` returned, which is what this kind's `execute` declares.
    execute: execute as NodeKind['execute'],
  };
}

/** The way out of every kind that does not choose. */
export const oneOutput: readonly NodeOutput[] = [
  { handle: null, title: 'Next', description: 'Followed when the node has finished.' },
];

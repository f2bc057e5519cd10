import { z } from 'zod';
import type { JsonObject } from '../json-value.js';
import type { CallContext, Ports, Usage } from '../ports.js';
import type { Content, Scope } from '../template.js';
import { commonMembers } from './common-members.js';
import { asResolved, asWritten, type Fault, type SettingMode } from './settings.js';

/** What a workflow stands in when it is checked. */
export interface World {
  /** Whether a configured provider serves the model; `provider` undefined: any of them. */
  servesModel(provider: string | undefined, model: string): boolean;
}

/** What a node finds when it runs: the values of placeholders, and all that ran before it. */
export interface NodeScope extends Scope {
  /**
   * Contents by id of the nodes that had to end before this one started. Others that happen to have ended are left out:
   * whether they have depends on chance.
   */
  earlier(): ReadonlyMap<string, Content>;
}

export interface Execution<Settings> {
  /** Resolved and checked. */
  settings: Settings;
  scope: NodeScope;
  ports: Ports;
  call: CallContext;
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

interface Traits {
  /** Front end node type, such as `http-node`. */
  type: string;
  /** Executor schema class name, such as `HTTPNodeInput`. */
  nodeType: string;
  title: string;
  description: string;
  category: 'start' | 'logic' | 'ai' | 'integration' | 'data' | 'end';
  /** `outside`: the result is recorded as it comes and never asked for again; `none`: computed again after a crash. */
  effects: 'none' | 'outside';
  outputs: readonly NodeOutput[];
  /** Members of a freshly placed node. */
  defaults: Readonly<JsonObject>;
  /** Its content is the result of the run. */
  isOutput?: boolean;
  /** Its settings are taken as they are written, placeholders included. */
  isVerbatim?: boolean;
  /** The branches of a node that chooses; absent: it has the one way out that `next_nodes` lists. */
  branches?(data: JsonObject): Branch[];
  /** The handle that led to this content: for a result recorded without its branch. */
  branchOf?(content: string, data: JsonObject): string;
  /** What only the surroundings can tell about settings that have the right form. */
  check?(data: JsonObject, world: World): Fault[];
}

export interface NodeKindDefinition<S extends z.ZodObject> extends Traits {
  settings(setting: SettingMode): S;
  execute(execution: Execution<z.output<S>>): Outcome | Promise<Outcome>;
}

export interface NodeKind extends Traits {
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

import type { Scope } from '../../expressions/scope.js';
import { type CompiledValue, compileValue } from '../../expressions/template.js';
import type { JsonObject } from '../../json-value.js';
import { type Policy, policyOf } from './common-members.js';
import type { GraphNode } from './graph.js';
import { type Fault, validateValue } from './settings.js';

/** A node with compiled settings. */
export interface PreparedNode {
  readonly policy: Policy;
  readonly template: CompiledValue;
  /** Resolves and validates the settings. Throws a `TemplateError` or `SettingsError`. */
  resolve(scope: Scope): unknown;
}

/** Resolved settings are invalid. */
export class SettingsError extends Error {
  readonly code = 'invalid_settings';

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.name = 'SettingsError';
  }
}

const preparedNodes = new WeakMap<GraphNode, PreparedNode>();

/** Compiles a node's settings. The result is cached with its graph, because thousands of runs share it. */
export function prepareNode(node: GraphNode): PreparedNode {
  let result = preparedNodes.get(node);
  if (!result) {
    result = compileSettings(node);
    preparedNodes.set(node, result);
  }
  return result;
}

function compileSettings({ kind, data }: GraphNode): PreparedNode {
  const settings: JsonObject = {};
  const asWritten: JsonObject = {};
  for (const member of kind.members) {
    if (!Object.hasOwn(data, member)) continue;
    if (kind.isVerbatim || kind.verbatimMembers?.includes(member)) asWritten[member] = data[member];
    else settings[member] = data[member];
  }
  // A placeholder at one of these paths, such as the left side of a condition, renders to null if its value is missing.
  // At other paths a missing value is a TemplateError.
  const optional = new Set(kind.optionalPaths?.(settings));
  // A late setting, such as the condition of a loop, renders to a `LateValue`: the node renders it again at each use.
  const template = compileValue(settings, kind.isLate, path => optional.has(path));
  const policy = policyOf(data, kind);
  const checked = (value: unknown): unknown => {
    const result = validateValue(kind.resolved, { ...(value as JsonObject), ...asWritten });
    if (!result.ok) throw new SettingsError(result.faults);
    return result.value;
  };
  if (!template.isConstant) return { policy, template, resolve: scope => checked(template.render(scope)) };
  let constant: { value: unknown } | undefined;
  return {
    policy,
    template,
    resolve: () => {
      constant ??= { value: checked(settings) };
      return constant.value;
    },
  };
}

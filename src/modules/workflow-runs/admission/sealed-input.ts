import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentVariable } from '../../../engine/environment.js';
import { maskInput, secretValues, valueMasker } from '../../../engine/secrets.js';
import { type HostRule, hostRulesOfVariables } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import type { Vault } from '../../../platform/crypto/crypto.js';

type Input = Record<string, unknown>;

/** The hidden part of the input of a run, unmasked. */
export interface HiddenInput {
  /** Input members that are secret fields or that contain an inherited secret. */
  members: Input;
  /** Secrets of the run from which this input originates. They are hidden regardless of the fields of this run. */
  inherited: readonly string[];
  /** Hosts to which inherited secrets and secret project variables may be sent. */
  hostRules: readonly HostRule[];
  /** The project variables that the graph uses, as they were when the run was accepted. */
  variables: readonly EnvironmentVariable[];
}

/** The stored form. An object has only the members. */
type SealedInput = Input | [Input, readonly string[], (readonly HostRule[])?, (readonly EnvironmentVariable[])?];

const NOTHING: HiddenInput = { members: {}, inherited: [], hostRules: [], variables: [] };

/**
 * Splits the input into a readable part, and a hidden part that is sealed for this run. `sealedInput` is null when
 * nothing is hidden.
 */
export function sealInput(
  vault: Vault,
  runId: string,
  prepared: {
    input: Input;
    secretFields: readonly string[];
    inherited?: readonly string[];
    hostRules?: readonly HostRule[];
    variables?: readonly EnvironmentVariable[];
  },
): { input: Input; sealedInput: string | null } {
  const { input, secretFields, inherited = [], hostRules = [], variables = [] } = prepared;
  const mask = valueMasker(inherited);
  const masked = maskInput(input, secretFields);
  // A member whose name contains an inherited secret is left out, because its name cannot be masked.
  const visible = Object.fromEntries(
    Object.entries(masked).flatMap(([name, value]) => (mask(name) === name ? [[name, mask(value)]] : [])),
  );
  const isHidden = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(visible, name) || !isDeepStrictEqual(visible[name], value);
  const members = Object.fromEntries(Object.entries(input).filter(isHidden));
  const isPlain = inherited.length === 0 && variables.length === 0;
  if (isPlain && Object.keys(members).length === 0) return { input: visible, sealedInput: null };
  const hidden: SealedInput = isPlain ? members : [members, inherited, hostRules, variables];
  return { input: visible, sealedInput: vault.seal(JSON.stringify(hidden), sealContextOf(runId)) };
}

/** Returns the hidden part of the input of a run. Empty when nothing is sealed. */
export function openInput(vault: Vault, run: { id: string; sealedInput: string | null }): HiddenInput {
  if (run.sealedInput === null) return NOTHING;
  const hidden: SealedInput = JSON.parse(vault.open(run.sealedInput, sealContextOf(run.id)));
  if (!Array.isArray(hidden)) return { ...NOTHING, members: hidden };
  const [members, inherited, hostRules = [], variables = []] = hidden;
  return { members, inherited, hostRules: [...hostRules, ...hostRulesOfVariables(variables)], variables };
}

/** Returns all texts to mask in a run: the secrets of its input, of its project variables and of its graph. */
export function secretsOf(
  { members, inherited, variables }: Pick<HiddenInput, 'members' | 'inherited' | 'variables'>,
  graphSecrets: Readonly<Record<string, string>>,
) {
  const secretVariables = variables.flatMap(({ isSecret, value }) => (isSecret ? [value] : []));
  return secretValues([...Object.values(members), ...inherited, ...secretVariables, ...Object.values(graphSecrets)]);
}

function sealContextOf(runId: string): string {
  return `workflow_run_payload:sealed_input:${runId}`;
}

import { isDeepStrictEqual } from 'node:util';
import { maskInput, secretValues, valueMasker } from '../../../engine/secrets.js';
import type { HostRule } from '../../../engine/workflow/graph/secret-hosts.js';
import type { Vault } from '../../../platform/crypto/crypto.js';

type Input = Record<string, unknown>;

/** The hidden part of the input of a run, unmasked. */
export interface HiddenInput {
  /** Input members that are secret fields or that contain an inherited secret. */
  members: Input;
  /** Secrets of the run from which this input originates. They are hidden regardless of the fields of this run. */
  inherited: readonly string[];
  /** Hosts to which inherited secrets may be sent. */
  hostRules: readonly HostRule[];
}

const NOTHING: HiddenInput = { members: {}, inherited: [], hostRules: [] };

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
  },
): { input: Input; sealedInput: string | null } {
  const { input, secretFields, inherited = [], hostRules = [] } = prepared;
  const mask = valueMasker(inherited);
  const masked = maskInput(input, secretFields);
  const visible = Object.fromEntries(
    Object.entries(masked).flatMap(([id, value]) => (mask(id) === id ? [[id, mask(value)]] : [])),
  );
  const isHidden = ([id, value]: [string, unknown]) =>
    !Object.hasOwn(visible, id) || !isDeepStrictEqual(visible[id], value);
  const members = Object.fromEntries(Object.entries(input).filter(isHidden));
  if (Object.keys(members).length === 0 && inherited.length === 0) return { input: visible, sealedInput: null };
  // The sealed value is an array when it contains inherited secrets, and otherwise an object with the members.
  const hidden = inherited.length === 0 ? members : [members, inherited, hostRules];
  return { input: visible, sealedInput: vault.seal(JSON.stringify(hidden), place(runId)) };
}

/** Returns the hidden part of the input of a run. Empty when nothing is sealed. */
export function openInput(vault: Vault, run: { id: string; sealedInput: string | null }): HiddenInput {
  if (run.sealedInput === null) return NOTHING;
  const hidden: Input | [Input, string[], HostRule[]?] = JSON.parse(vault.open(run.sealedInput, place(run.id)));
  if (!Array.isArray(hidden)) return { ...NOTHING, members: hidden };
  const [members, inherited, hostRules = []] = hidden;
  return { members, inherited, hostRules };
}

/** Returns all texts to mask in a run: the secrets of its input and of its graph. */
export function secretsOf(
  { members, inherited }: Pick<HiddenInput, 'members' | 'inherited'>,
  graphSecrets: Readonly<Record<string, string>>,
) {
  return secretValues([...Object.values(members), ...inherited, ...Object.values(graphSecrets)]);
}

function place(runId: string): string {
  return `workflow_run_payload:sealed_input:${runId}`;
}

import { isDeepStrictEqual } from 'node:util';
import { maskInput, secretValues, valueMasker } from '../../../engine/secrets.js';
import type { HostRule } from '../../../engine/workflow/graph/secret-hosts.js';
import type { Vault } from '../../../platform/crypto/crypto.js';

type Input = Record<string, unknown>;

/** What of a run's input nobody reads, in clear. */
export interface HiddenInput {
  /** Members of the input: values of secret fields, and whatever holds an inherited secret. */
  members: Input;
  /** Secrets of the run that this one's input came from. They are hidden here as well, whatever its fields say. */
  inherited: readonly string[];
  /** Where inherited secrets may be sent. */
  hostRules: readonly HostRule[];
}

const NOTHING: HiddenInput = { members: {}, inherited: [], hostRules: [] };

/** The input in two parts: what may be read by anyone, and what is hidden in it, sealed for this run alone. */
export function sealInput(
  vault: Vault,
  runId: string,
  given: {
    input: Input;
    secretFields: readonly string[];
    inherited?: readonly string[];
    hostRules?: readonly HostRule[];
  },
): { input: Input; sealedInput: string | null } {
  const { input, secretFields, inherited = [], hostRules = [] } = given;
  const mask = valueMasker(inherited);
  const masked = maskInput(input, secretFields);
  const shown = Object.fromEntries(
    Object.entries(masked).flatMap(([id, value]) => (mask(id) === id ? [[id, mask(value)]] : [])),
  );
  const isHidden = ([id, value]: [string, unknown]) =>
    !Object.hasOwn(shown, id) || !isDeepStrictEqual(shown[id], value);
  const members = Object.fromEntries(Object.entries(input).filter(isHidden));
  if (Object.keys(members).length === 0 && inherited.length === 0) return { input: shown, sealedInput: null };
  // A list tells the form with inherited secrets from the one that holds members alone.
  const hidden = inherited.length === 0 ? members : [members, inherited, hostRules];
  return { input: shown, sealedInput: vault.seal(JSON.stringify(hidden), place(runId)) };
}

export function openInput(vault: Vault, run: { id: string; sealedInput: string | null }): HiddenInput {
  if (run.sealedInput === null) return NOTHING;
  const hidden: Input | [Input, string[], HostRule[]?] = JSON.parse(vault.open(run.sealedInput, place(run.id)));
  if (!Array.isArray(hidden)) return { ...NOTHING, members: hidden };
  const [members, inherited, hostRules = []] = hidden;
  return { members, inherited, hostRules };
}

/** The texts to hide wherever they turn up in a run: of its input, and the secrets of its graph. */
export function secretsOf(
  { members, inherited }: Pick<HiddenInput, 'members' | 'inherited'>,
  graphSecrets: Readonly<Record<string, string>>,
) {
  return secretValues([...Object.values(members), ...inherited, ...Object.values(graphSecrets)]);
}

function place(runId: string): string {
  return `workflow_run_payload:sealed_input:${runId}`;
}

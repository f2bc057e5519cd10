import { isObject } from '../../../engine/json-value.js';
import { MASK, secretsOfTrigger } from '../../../engine/secrets.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { type HostRule, hostRulesOf } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { inputReuseFaults, secretReuseFaults } from '../../../engine/workflow/graph/secrets/secret-reuse.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { Revision, RevisionStore } from '../../workflows/revision-store.js';
import type { StoredInput, SubmittedInput } from '../admission/run-preparer.js';
import { secretsOf } from '../admission/sealed-input.js';

type Input = Record<string, unknown>;

/** The input of an earlier run and the revision of that run. */
interface EarlierRun {
  revisionId: number;
  stored: StoredInput;
}

/**
 * Returns the secrets that a repetition takes over from the input of an earlier run, and the hosts to which they may be sent.
 * @throws InvalidInputError when the chosen revision would send one of them to a place to which that run did not send it
 */
export async function takeOverSecrets(
  revisions: RevisionStore,
  chosen: Revision,
  { revisionId, stored }: EarlierRun,
  request: SubmittedInput,
): Promise<{ inherited: readonly string[]; hostRules: readonly HostRule[] }> {
  const { inherited, hostRules } = stored;
  if (chosen.id === revisionId) return { inherited, hostRules };
  const original = await revisions.get(revisionId);
  const kept = keptSecrets(request, stored.secrets);
  const faults = keptSecretFaults(chosen, original, kept);
  if (faults.length > 0) throw new InvalidInputError({ input: faults });
  return {
    inherited: secretsOf({ ...stored, members: kept }, {}),
    hostRules: [...hostRules, ...hostRulesOf(original.data, kept, {})],
  };
}

/** Returns the secret members of an earlier input that a repetition uses: all of them without a new input, otherwise masked ones. */
function keptSecrets({ input, inputText }: SubmittedInput, secrets: Input): Input {
  if (inputText != null) return inputText.includes(MASK) ? secrets : {};
  if (input === undefined) return secrets;
  return Object.fromEntries(Object.entries(secrets).filter(([id]) => isObject(input) && input[id] === MASK));
}

/**
 * Returns the reasons why a run of a revision must not take over secret members from the input of a run of the original
 * revision; empty: it may. A revision with the id of the original is a change that is not saved.
 */
export function keptSecretFaults(next: Revision, original: Revision, kept: Input): string[] {
  const isSaved = next.id !== original.id;
  // The check of a saved revision permitted it to use its own defaults.
  const own = isSaved && !(next.graph instanceof GraphError) ? secretsOfTrigger(next.graph.start, next.secrets) : {};
  const fields = Object.keys(kept).filter(id => !Object.hasOwn(own, id) || own[id] !== kept[id]);
  const ofDefaults = isSaved ? [] : secretReuseFaults(next.data, original);
  return [...ofDefaults, ...inputReuseFaults(next.data, original.data, fields)];
}

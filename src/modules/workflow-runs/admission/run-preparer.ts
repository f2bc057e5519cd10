import { restoreInput, secretInputFault, secretsOfTrigger } from '../../../engine/secrets.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { inputFromText } from '../../../engine/workflow/graph/input-fields.js';
import type { HostRule } from '../../../engine/workflow/graph/secret-hosts.js';
import { validateRun } from '../../../engine/workflow/graph/validate.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { isUnstorableJson } from '../../../platform/errors/fields.js';
import type { Revision } from '../../workflows/revision-store.js';
import type { ServedModels } from '../../workflows/served-models.js';
import type { RunPayload, RunResult } from '../journal/run-payloads.js';
import { openInput, sealInput } from './sealed-input.js';

type Input = Record<string, unknown>;

/** What a caller sent: an object, or plain text in its place. Both absent: an empty object. */
export interface GivenInput {
  input?: unknown;
  inputText?: string | null;
}

/** A run made ready: accepted with its input, or refused with the result that says why. */
export interface Preparation {
  /** The inner status of the specification. */
  status: 201 | 400 | 402 | 422;
  /** In clear, defaults filled in; of a refused run what was given. */
  input: Input;
  secretFields: string[];
  /** Secrets of another run that its input or its contents came from. */
  inherited?: readonly string[];
  /** Where these may be sent. */
  hostRules?: readonly HostRule[];
  /** Only of a refused run. */
  result: RunResult | null;
}

/** What an earlier run started with. */
export interface StoredInput {
  input: Input;
  secrets: Input;
  inherited: readonly string[];
  hostRules: readonly HostRule[];
}

/** Turns what a caller sent into what a run starts with: secrets restored, structure and nodes validated. */
export class RunPreparer {
  constructor(
    private readonly vault: Vault,
    private readonly served: ServedModels,
  ) {}

  /** `original` holds the secret values of the run that is run again: the mask stands for them first. */
  async prepare(revision: Revision, given: GivenInput, original: Input = {}): Promise<Preparation> {
    const { graph } = revision;
    const read = this.#read(revision, given, original);
    if (graph instanceof GraphError)
      return refused(400, read.input ?? {}, read.secretFields, { code: graph.code, message: graph.message });
    if (!read.input) return refused(400, {}, read.secretFields, { code: 'invalid_input', message: read.fault });
    const { secrets, workflowId, projectId } = revision;
    const { input } = read;
    const checked = await this.served.tried(projectId, servesModel => {
      const outcome = validateRun(graph, input, { servesModel, secrets, workflowId });
      return { outcome, isGood: outcome.status !== 422 };
    });
    if (checked.status === 400) return refused(400, read.input, read.secretFields, checked.error);
    if (checked.status === 422) {
      const result = { data: checked.data, output: null };
      return { status: 422, input: read.input, secretFields: read.secretFields, result };
    }
    return { status: 201, input: checked.input, secretFields: read.secretFields, result: null };
  }

  /** The same run, refused because the spending limit of its project is reached. */
  pastBudget({ input, secretFields }: Preparation): Preparation {
    return refused(402, input, secretFields, pastBudget);
  }

  /** A draft is recorded as it was given; it is validated when it is released. */
  draft(revision: Revision, given: GivenInput): Preparation {
    const { input, fault, secretFields } = this.#read(revision, given, {});
    if (!input) return refused(400, {}, secretFields, { code: 'invalid_input', message: fault });
    return { status: 201, input, secretFields, result: null };
  }

  /** The input in two parts: what may be read by anyone, and the secret values sealed for this run alone. */
  seal(runId: string, prepared: Preparation): { input: Input; sealedInput: string | null } {
    return sealInput(this.vault, runId, prepared);
  }

  /** The input of an earlier run in clear, beside what of it was hidden. */
  storedInput(id: string, { input, sealedInput }: Pick<RunPayload, 'input' | 'sealedInput'>): StoredInput {
    const { members, inherited, hostRules } = openInput(this.vault, { id, sealedInput });
    return { input: { ...input, ...members }, secrets: members, inherited, hostRules };
  }

  #read({ fields, secrets, graph }: Revision, { input: given, inputText }: GivenInput, original: Input) {
    const secretFields = fields.filter(field => field.is_secret).map(field => field.id);
    const input = inputText == null ? (given === undefined ? {} : given) : inputFromText(fields, inputText);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { input: null, fault: 'The input must be a JSON object.', secretFields };
    if (isUnstorableJson(input))
      return {
        input: null,
        fault: 'The input nests at most 64 deep and holds no null characters, lone surrogates or infinite numbers.',
        secretFields,
      };
    const defaults = graph instanceof GraphError ? secrets : secretsOfTrigger(graph.start, secrets);
    const restored = restoreInput(input as Input, secretFields, { defaults, original });
    const fault = secretInputFault(restored, secretFields);
    return fault === undefined ? { input: restored, fault: '', secretFields } : { input: null, fault, secretFields };
  }
}

/** Why a run is refused past the spending limit of its project. */
export const pastBudget = { code: 'budget_exceeded', message: 'The spending limit of the project is reached.' };

function refused(
  status: 400 | 402,
  input: Input,
  secretFields: string[],
  error: { code: string; message: string },
): Preparation {
  return { status, input, secretFields, result: { data: null, output: null, error } };
}

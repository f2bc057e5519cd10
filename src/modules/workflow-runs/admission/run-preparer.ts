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

/** The input of a request: an object, or plain text instead. Default: an empty object. */
export interface SubmittedInput {
  input?: unknown;
  inputText?: string | null;
}

/** A validated run: accepted with its input, or refused with a result that contains the reason. */
export interface Preparation {
  /** The inner status of the specification. */
  status: 201 | 400 | 402 | 422;
  /** The unmasked input, with defaults if accepted, as sent if refused. */
  input: Input;
  secretFields: string[];
  /** Secrets of another run that the input or the reused contents may contain. */
  inherited?: readonly string[];
  /** Hosts to which the inherited secrets may be sent. */
  hostRules?: readonly HostRule[];
  /** Set only for a refused run. */
  result: RunResult | null;
}

/** The unmasked input of an earlier run. */
export interface StoredInput {
  input: Input;
  secrets: Input;
  inherited: readonly string[];
  hostRules: readonly HostRule[];
}

/** Turns the input of a request into the input of a run: restores secrets and validates structure and nodes. */
export class RunPreparer {
  constructor(
    private readonly vault: Vault,
    private readonly served: ServedModels,
  ) {}

  /**
   * Validates a run. A mask in the input is replaced by the value in `original`, the secrets of the run that is
   * repeated, then by the secret default.
   */
  async prepare(revision: Revision, submitted: SubmittedInput, original: Input = {}): Promise<Preparation> {
    const { graph } = revision;
    const read = this.#readInput(revision, submitted, original);
    if (graph instanceof GraphError)
      return refused(400, read.input ?? {}, read.secretFields, { code: graph.code, message: graph.message });
    if (!read.input) return refused(400, {}, read.secretFields, { code: 'invalid_input', message: read.fault });
    const { secrets, workflowId, projectId } = revision;
    const { input } = read;
    const checked = await this.served.withModels(projectId, servesModel => {
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

  /** Returns the same run, refused because of the spending limit of its project. */
  refuseOverBudget({ input, secretFields }: Preparation): Preparation {
    return refused(402, input, secretFields, budgetExceeded);
  }

  /** Prepares a draft without validation, which happens when it is released. */
  draft(revision: Revision, submitted: SubmittedInput): Preparation {
    const { input, fault, secretFields } = this.#readInput(revision, submitted, {});
    if (!input) return refused(400, {}, secretFields, { code: 'invalid_input', message: fault });
    return { status: 201, input, secretFields, result: null };
  }

  /** Splits the input into a readable part, and a part that is sealed for this run. */
  seal(runId: string, prepared: Preparation): { input: Input; sealedInput: string | null } {
    return sealInput(this.vault, runId, prepared);
  }

  /** Returns the unmasked input of an earlier run, with its secret parts listed separately. */
  storedInput(id: string, { input, sealedInput }: Pick<RunPayload, 'input' | 'sealedInput'>): StoredInput {
    const { members, inherited, hostRules } = openInput(this.vault, { id, sealedInput });
    return { input: { ...input, ...members }, secrets: members, inherited, hostRules };
  }

  #readInput({ fields, secrets, graph }: Revision, { input: submitted, inputText }: SubmittedInput, original: Input) {
    const secretFields = fields.filter(field => field.is_secret).map(field => field.id);
    const input = inputText == null ? (submitted === undefined ? {} : submitted) : inputFromText(fields, inputText);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { input: null, fault: 'The input must be a JSON object.', secretFields };
    if (isUnstorableJson(input))
      return {
        input: null,
        fault:
          'The input must be nested at most 64 levels deep, without null characters, lone surrogates or infinite numbers.',
        secretFields,
      };
    const defaults = graph instanceof GraphError ? secrets : secretsOfTrigger(graph.start, secrets);
    const restored = restoreInput(input as Input, secretFields, { defaults, original });
    const fault = secretInputFault(restored, secretFields);
    return fault === undefined ? { input: restored, fault: '', secretFields } : { input: null, fault, secretFields };
  }
}

/** The error of a run that is refused because of the spending limit of its project. */
export const budgetExceeded = { code: 'budget_exceeded', message: 'The spending limit of the project is reached.' };

function refused(
  status: 400 | 402,
  input: Input,
  secretFields: string[],
  error: { code: string; message: string },
): Preparation {
  return { status, input, secretFields, result: { data: null, output: null, error } };
}

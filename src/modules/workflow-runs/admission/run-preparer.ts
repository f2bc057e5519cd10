import type { EnvironmentVariable } from '../../../engine/environment.js';
import { restoreInput, secretInputFault, secretsOfTrigger } from '../../../engine/secrets.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { fileIdsOf, inputFromText } from '../../../engine/workflow/graph/input-fields.js';
import { connectionIdsOf, variableNamesOf } from '../../../engine/workflow/graph/node-checks.js';
import type { HostRule } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { type Issue, issuesOfFaultyGraph, summaryOf, validateRun } from '../../../engine/workflow/graph/validate.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { BudgetUse } from '../../../platform/errors/errors.js';
import { isUnstorableJson, MAX_JSON_DEPTH } from '../../../platform/errors/fields.js';
import type { ConnectionStore } from '../../connections/connection-store.js';
import type { RunFiles } from '../../files/run-files.js';
import {
  isEnvironmentName,
  toRefusedEnvironment,
  toStoredEnvironment,
} from '../../project-variables/environments/environment-name.js';
import type { VariableReader } from '../../project-variables/variable-reader.js';
import type { ServedModels } from '../../provider-keys/served-models.js';
import type { Revision } from '../../workflows/revision-store.js';
import type { RunPayload, RunRefusalDetails, RunResult } from '../journal/run-payloads.js';
import { openInput, sealInput } from './sealed-input.js';

type Input = Record<string, unknown>;

/** Further issues of a refused run are not stored. The result still has the messages of all nodes. */
const MAX_ISSUES = 1_000;

/** Serves every model. A graph with faults in its structure reports only these; its models are checked later. */
const ANY_MODEL = { servesModel: () => true };

/** The input of a request: an object, or plain text instead. Default: an empty object. */
export interface SubmittedInput {
  input?: unknown;
  inputText?: string | null;
  /** Name of an environment of the project. Default: `production`. */
  environment?: string | null | undefined;
}

/** A validated run: accepted with its input, or refused with a result that contains the reason. */
export interface Preparation {
  /** The inner status of the interface specification. */
  status: 201 | 400 | 402 | 422;
  /** The unmasked input: with defaults if it is valid (201 and 402), otherwise as sent. */
  input: Input;
  secretFields: string[];
  /** Secrets of another run that the input or the reused contents may contain. */
  inherited?: readonly string[];
  /** Hosts to which the inherited secrets may be sent. */
  hostRules?: readonly HostRule[];
  /** The project variables that the graph uses. */
  variables?: readonly EnvironmentVariable[];
  /** The environment whose values of variables the run uses, or the unknown one of a refused run. Null: `production`. */
  environment?: string | null | undefined;
  /** The ids of the files in the input. */
  fileIds?: readonly string[];
  /** Set only for a refused run. */
  result: RunResult | null;
}

/** The unmasked input of an earlier run. */
export interface StoredInput {
  input: Input;
  /** The members of `input` that are secret or contain a secret. */
  secrets: Input;
  /** Secrets of the run from which that input originates. */
  inherited: readonly string[];
  hostRules: readonly HostRule[];
  variables: readonly EnvironmentVariable[];
}

/** Turns the input of a request into the input of a run: restores secrets and validates structure and nodes. */
export class RunPreparer {
  constructor(
    private readonly vault: Vault,
    private readonly servedModels: ServedModels,
    private readonly variables: VariableReader,
    private readonly files: RunFiles,
    private readonly connections: Pick<ConnectionStore, 'summaries'>,
  ) {}

  /**
   * Validates a run. A mask in the input is replaced by the value in `original`, the secrets of the run that is
   * repeated, then by the secret default.
   */
  async prepare(revision: Revision, submitted: SubmittedInput, original: Input = {}): Promise<Preparation> {
    const environment = toStoredEnvironment(submitted.environment);
    if (environment !== null && !(await this.#hasEnvironment(revision.projectId, environment)))
      return this.#unknownEnvironment(revision, { submitted, original, environment });
    return { ...(await this.#prepare(revision, submitted, original, environment)), environment };
  }

  /** Refuses the run: neither it nor its repetition may use the values of another environment instead. */
  #unknownEnvironment(
    revision: Revision,
    { submitted, original, environment }: { submitted: SubmittedInput; original: Input; environment: string },
  ): Preparation {
    const { input, secretFields } = this.#readInput(revision, submitted, original);
    const error = { code: 'unknown_environment', message: 'The project has no environment with this name.' };
    return { ...refusedRun(400, input ?? {}, secretFields, error), environment: toRefusedEnvironment(environment) };
  }

  async #hasEnvironment(projectId: number, name: string): Promise<boolean> {
    return isEnvironmentName(name) && (await this.variables.hasEnvironment(projectId, name));
  }

  async #prepare(
    revision: Revision,
    submitted: SubmittedInput,
    original: Input,
    environment: string | null,
  ): Promise<Preparation> {
    const { graph } = revision;
    const read = this.#readInput(revision, submitted, original);
    if (graph instanceof GraphError)
      return refusedRun(400, read.input ?? {}, read.secretFields, summaryOf(graph), {
        issues: issuesOfFaultyGraph(graph, ANY_MODEL)
          .filter(({ severity }) => severity === 'error')
          .slice(0, MAX_ISSUES),
      });
    if (!read.input) return refusedRun(400, {}, read.secretFields, { code: 'invalid_input', message: read.fault });
    const { secrets, workflowId, projectId } = revision;
    const { input } = read;
    const variables = await this.variables.open(projectId, variableNamesOf(graph), environment);
    const fileIds = fileIdsOf(graph.inputFields, input);
    const files = fileIds.length > 0 ? await this.files.references(projectId, fileIds) : undefined;
    const names = new Set(variables.map(({ name }) => name));
    const connections =
      connectionIdsOf(graph).length > 0 ? { connections: await this.connections.summaries(projectId) } : {};
    const checked = await this.servedModels.withModels(projectId, catalog => {
      const outcome = validateRun(graph, input, {
        ...{ ...catalog, secrets, workflowId, variables: names },
        ...(files ? { files } : {}),
        ...connections,
      });
      // Only the nodes depend on the models. A second attempt with the provider keys of the project may accept them.
      return { outcome, isFinal: outcome.status !== 422 };
    });
    if (checked.status === 400) return refusedRun(400, read.input, read.secretFields, checked.error);
    if (checked.status === 422) {
      const result = { data: checked.data, output: null, refusal: { issues: checked.issues.slice(0, MAX_ISSUES) } };
      return { status: 422, input: read.input, secretFields: read.secretFields, result };
    }
    return { status: 201, input: checked.input, secretFields: read.secretFields, variables, fileIds, result: null };
  }

  /** Returns the same run, refused because of the spending limit of its project. Secrets in its input stay known. */
  refuseOverBudget(prepared: Preparation, use: BudgetUse): Preparation {
    const { input, secretFields, inherited, hostRules, environment } = prepared;
    const refused = refusedRun(402, input, secretFields, budgetExceeded, { issues: [], use });
    return { ...refused, inherited, hostRules, environment };
  }

  /** Prepares a draft run. Its graph and the input fields are validated when it is released. */
  prepareDraft(revision: Revision, submitted: SubmittedInput): Preparation {
    const environment = toStoredEnvironment(submitted.environment);
    if (environment !== null && !isEnvironmentName(environment))
      return this.#unknownEnvironment(revision, { submitted, original: {}, environment });
    const { input, fault, secretFields } = this.#readInput(revision, submitted, {});
    if (!input) return { ...refusedRun(400, {}, secretFields, { code: 'invalid_input', message: fault }), environment };
    return { status: 201, input, secretFields, environment, result: null };
  }

  /** Splits the input into a readable part, and a part that is sealed for this run. */
  seal(runId: string, prepared: Preparation): { input: Input; sealedInput: string | null } {
    return sealInput(this.vault, runId, prepared);
  }

  /** Returns the unmasked input of an earlier run, with its secret parts listed separately. */
  storedInput(id: string, { input, sealedInput }: Pick<RunPayload, 'input' | 'sealedInput'>): StoredInput {
    const { members, ...hidden } = openInput(this.vault, { id, sealedInput });
    return { input: { ...input, ...members }, secrets: members, ...hidden };
  }

  #readInput({ fields, secrets, graph }: Revision, { input: submitted, inputText }: SubmittedInput, original: Input) {
    const secretFields = fields.filter(field => field.is_secret).map(field => field.id);
    const input = inputText == null ? (submitted === undefined ? {} : submitted) : inputFromText(fields, inputText);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { input: null, fault: 'The input must be a JSON object.', secretFields };
    if (isUnstorableJson(input))
      return {
        input: null,
        fault: `The input must be nested at most ${MAX_JSON_DEPTH} levels deep, without null characters, lone surrogates or infinite numbers.`,
        secretFields,
      };
    // The trigger of a faulty graph is unknown, so a mask gets any default of its field id. The run is refused: no node reads it.
    const defaults = graph instanceof GraphError ? secrets : secretsOfTrigger(graph.start, secrets);
    const restored = restoreInput(input as Input, secretFields, { defaults, original });
    const fault = secretInputFault(restored, secretFields);
    return fault === undefined ? { input: restored, fault: '', secretFields } : { input: null, fault, secretFields };
  }
}

/** The error of a run that is refused because of the spending limit of its project. */
export const budgetExceeded = { code: 'budget_exceeded', message: 'The spending limit of the project is reached.' };

function inputIssue(code: string, message: string): Issue {
  return { code, severity: 'error', node_id: null, edge_id: null, path: null, message };
}

function refusedRun(
  status: 400 | 402,
  input: Input,
  secretFields: string[],
  { code, message }: { code: string; message: string },
  refusal: RunRefusalDetails = { issues: [inputIssue(code, message)] },
): Preparation {
  return { status, input, secretFields, result: { data: null, output: null, error: { code, message }, refusal } };
}

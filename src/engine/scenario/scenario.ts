import type { JsonObject } from '../json-value.js';

const returnTypes = ['text', 'variables', 'image'] as const;
export type ReturnType = (typeof returnTypes)[number];

const promptRoles = ['user', 'system', 'assistant', 'positive', 'negative'] as const;
export type PromptRole = (typeof promptRoles)[number];

const conditionTypes = ['variable', 'message'] as const;
export type ConditionType = (typeof conditionTypes)[number];

const matchings = [
  'equal',
  'not_equal',
  'contains',
  'not_contains',
  'greater',
  'less',
  'empty',
  'not_empty',
  'regex',
] as const;
export type Matching = (typeof matchings)[number];

/** `skip` leaves the prompt or message out, `stop` ends the run as finished, `fail` as failed. */
const conditionActions = ['skip', 'stop', 'fail'] as const;
export type ConditionAction = (typeof conditionActions)[number];

/** What a run executes, as it was when the run was made. Its rows are well-formed; what they refer to may be missing. */
export interface Scenario {
  /** In any order: they run by `sortId`, then by `id`. */
  readonly messages: readonly Message[];
  readonly variables: readonly Variable[];
  readonly insertedVariables: readonly InsertedVariable[];
}

/** A row that may be the run's copy of another: placeholders and conditions find it by either id. */
export interface Copy {
  readonly id: number;
  readonly originalId?: number;
}

export interface Message extends Copy {
  readonly key: string;
  readonly sortId: number;
  /** Absent or empty: chosen by the model's name. */
  readonly provider?: string | null;
  readonly returnType: ReturnType;
  /** `model_name`, `temperature`, `max_tokens`, `top_p`, `response_format`; for an image whatever its maker takes. */
  readonly parameters: Readonly<JsonObject>;
  readonly isLoop: boolean;
  /** 0-1000. Counts only without a `loopVariable`. */
  readonly loopCount?: number | null;
  /** The variable whose active values are the rounds. */
  readonly loopVariable?: number | null;
  /** Runs beside the messages after it until one of them needs its result. */
  readonly isAsync: boolean;
  readonly prompts: readonly Prompt[];
  readonly conditions: readonly Condition[];
}

export interface Prompt {
  readonly id: number;
  readonly key: string;
  readonly sortId: number;
  readonly role: PromptRole;
  readonly content: string;
  readonly conditions: readonly Condition[];
}

/** Without the ids of its `type` it looks at the first placeholder of that type in the content. */
export interface Condition {
  readonly isEnabled: boolean;
  readonly type: ConditionType;
  readonly matching: Matching;
  readonly value: string;
  readonly action: ConditionAction;
  readonly variable?: number | null;
  readonly variableName?: number | null;
  /** Its last result is looked at. */
  readonly message?: number | null;
}

export interface Variable extends Copy {
  readonly key: string;
  /** In their order. */
  readonly values: readonly VariableValue[];
}

/** One of a variable's `variable_names`. */
export interface VariableValue extends Copy {
  readonly name: string;
  readonly value: string;
  /** Inactive ones are found by their id alone. */
  readonly isActive: boolean;
}

/** Stands in for the value of that pair wherever it is looked up; of several for one pair the last one counts. */
export interface InsertedVariable {
  readonly variable: number;
  readonly variableName: number;
  readonly value: string;
}

import type { JsonObject } from '../json-value.js';

/** What the answer to a message is: a text, variables that later prompts use, or an image. */
export type ReturnType = 'text' | 'variables' | 'image';

/** `positive` and `negative` describe what an image shows and must not show. For a text they are system messages. */
export type PromptRole = 'user' | 'system' | 'assistant' | 'positive' | 'negative';

/** What a condition tests: a value of a variable, a result of a message, or the code of the language of either. */
export type ConditionType = 'variable' | 'message' | 'language';

/** How a condition compares its subject with its value. */
export type Matching =
  | 'equal'
  | 'not_equal'
  | 'contains'
  | 'not_contains'
  | 'greater'
  | 'less'
  | 'empty'
  | 'not_empty'
  | 'regex'
  | 'greater_or_equal'
  | 'less_or_equal'
  | 'starts_with'
  | 'ends_with'
  | 'in'
  | 'not_in'
  | 'between'
  | 'before'
  | 'after'
  | 'on_date'
  | 'exists'
  | 'not_exists'
  | 'is_text'
  | 'is_number'
  | 'is_boolean'
  | 'is_list'
  | 'is_object';

/**
 * `use` sends the prompt or message, which is omitted if none of its `use` conditions is met. `skip` omits it,
 * `stop` ends the run as finished, `fail` ends it as failed.
 */
export type ConditionAction = 'skip' | 'use' | 'stop' | 'fail';

/** Snapshot of a scenario that a run executes. Its rows are well-formed, but their references may be dangling. */
export interface Scenario {
  /** In any order. Execution order is by `sortId`, then by `id`. */
  readonly messages: readonly Message[];
  readonly variables: readonly Variable[];
  readonly insertedVariables: readonly InsertedVariable[];
}

/** A row that may be a copy. Placeholders and conditions find it by its own id or by `originalId`. */
export interface Copy {
  readonly id: number;
  readonly originalId?: number;
}

/** A model request with its prompts and conditions. */
export interface Message extends Copy {
  readonly key: string;
  readonly sortId: number;
  /** Name of a configured provider, or of a third-party service: `http`, `graphql` or `mcp`. Absent or empty: selected by the model name. */
  readonly provider?: string | null;
  readonly returnType: ReturnType;
  /**
   * `model_name`, `temperature`, `max_tokens`, `top_p`, `response_format`; for an image any parameters of the image
   * provider; for a service the settings of the node of that kind.
   */
  readonly parameters: Readonly<JsonObject>;
  readonly isLoop: boolean;
  /** Number of rounds, 0-1000. Ignored if `loopVariable` is set. */
  readonly loopCount?: number | null;
  /** Id of the variable whose active values are the rounds. */
  readonly loopVariable?: number | null;
  /** True: runs concurrently with later messages until one of them needs its result. */
  readonly isAsync: boolean;
  readonly prompts: readonly Prompt[];
  readonly conditions: readonly Condition[];
}

/** A text of a message. */
export interface Prompt {
  readonly id: number;
  readonly key: string;
  readonly sortId: number;
  readonly role: PromptRole;
  readonly content: string;
  readonly conditions: readonly Condition[];
}

/**
 * A condition. Without an id for its `type` it tests the first placeholder of that type in the content. The type
 * `language` takes the ids and placeholders of both other types.
 */
export interface Condition {
  readonly isEnabled: boolean;
  readonly type: ConditionType;
  readonly matching: Matching;
  readonly value: string;
  /** True: texts are compared without regard to case. Stored conditions may lack it. */
  readonly ignoreCase?: boolean;
  readonly action: ConditionAction;
  /** Id of the variable whose value is tested: its first active value, or the one that `variableName` names. */
  readonly variable?: number | null;
  /** Id of a value (`VariableValue`). */
  readonly variableName?: number | null;
  /** Id of the message whose last result is tested. */
  readonly message?: number | null;
}

/** Named values that prompts embed and loops iterate over. */
export interface Variable extends Copy {
  readonly key: string;
  /** In display order. */
  readonly values: readonly VariableValue[];
}

/** One of a variable's `variable_names`. */
export interface VariableValue extends Copy {
  readonly name: string;
  readonly value: string;
  /** Inactive values are found only by id. */
  readonly isActive: boolean;
}

/** Replaces a value of a variable in the whole run. If there are several for one value, the last one applies. */
export interface InsertedVariable {
  readonly variable: number;
  /** Id of a value (`VariableValue`). */
  readonly variableName: number;
  readonly value: string;
}

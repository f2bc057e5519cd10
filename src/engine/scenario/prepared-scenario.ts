import type { ModelSettings } from '../ports.js';
import { type ConditionParts, type PreparedCondition, prepareConditions, type Subject } from './conditions.js';
import { danglingReference, ScenarioError } from './failure.js';
import type { DetectLanguage } from './languages.js';
import { roundsOf } from './loops.js';
import { modelSettings } from './parameters.js';
import { Patterns } from './patterns.js';
import { parseTemplate, placeholdersOf, type Template } from './placeholders.js';
import type { Message, Prompt, Scenario } from './scenario.js';
import { invalidParameters, isService, serviceFaults } from './services.js';
import { byEitherId, type LoopItem, Variables } from './variables.js';

/** A prompt with its parsed content and conditions. */
export interface PreparedPrompt {
  readonly prompt: Prompt;
  readonly template: Template;
  readonly conditions: readonly PreparedCondition[];
}

/** A validated message. References that can be checked before the run are known to exist. */
export interface PreparedMessage {
  readonly message: Message;
  readonly prompts: readonly PreparedPrompt[];
  readonly conditions: readonly PreparedCondition[];
  readonly rounds: readonly (LoopItem | undefined)[];
  readonly settings: ModelSettings;
  /** Earlier messages whose results this message uses. */
  readonly needs: ReadonlySet<Message>;
  /** True if one of its conditions can stop the run. */
  readonly mayStop: boolean;
}

/** A validated scenario. */
export interface PreparedScenario {
  /** In execution order. */
  readonly messages: readonly PreparedMessage[];
  readonly variables: Variables;
  /** By own id and by original id. */
  readonly byId: ReadonlyMap<number, Message>;
}

/**
 * Validates a scenario before its first request. Throws a ScenarioError for a fault that no run could survive, so that
 * it fails without cost.
 */
export function prepareScenario(scenario: Scenario, detectLanguage: DetectLanguage): PreparedScenario {
  const preparer = new Preparer(scenario, detectLanguage);
  const messages = sortByPosition(scenario.messages).map(message => preparer.prepare(message));
  return { messages, variables: preparer.variables, byId: preparer.byId };
}

/** Sorts by `sortId`, then by `id`. */
export function sortByPosition<Row extends { sortId: number; id: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.sortId - b.sortId || a.id - b.id);
}

function settingsOf(message: Message): ModelSettings {
  const { provider, parameters, returnType } = message;
  if (!isService(provider)) return returnType === 'image' ? {} : modelSettings(message);
  const faults = serviceFaults(provider, parameters);
  if (faults.length > 0) throw invalidParameters(message, faults);
  return {};
}

class Preparer {
  readonly variables: Variables;
  readonly byId: ReadonlyMap<number, Message>;
  readonly #patterns = new Patterns();
  readonly #earlier = new Set<Message>();

  constructor(
    scenario: Scenario,
    private readonly detectLanguage: DetectLanguage,
  ) {
    this.variables = new Variables(scenario);
    this.byId = byEitherId(scenario.messages);
  }

  prepare(message: Message): PreparedMessage {
    if (message.prompts.length === 0)
      throw new ScenarioError('message_without_prompts', `message ${message.key} must have a prompt`);
    const read = sortByPosition(message.prompts).map(prompt => ({ prompt, template: parseTemplate(prompt.content) }));
    const prompts = read.map(({ prompt, template }) => ({
      prompt,
      template,
      conditions: prepareConditions(prompt.conditions, this.#parts(`prompt ${prompt.key}`, [template])),
    }));
    const templates = read.map(({ template }) => template);
    const conditions = prepareConditions(message.conditions, this.#parts(`message ${message.key}`, templates));
    const all = [...conditions, ...prompts.flatMap(prompt => prompt.conditions)];
    const subjects = [...templates.flatMap(placeholdersOf), ...all.map(({ subject }) => subject)];
    const needs = new Set(subjects.flatMap(subject => this.#requiredMessages(subject, message)));
    this.#earlier.add(message);
    return {
      message,
      prompts,
      conditions,
      rounds: roundsOf(message, this.variables),
      settings: settingsOf(message),
      needs,
      mayStop: all.some(({ action }) => action === 'stop'),
    };
  }

  #parts(owner: string, templates: readonly Template[]): ConditionParts {
    return {
      owner,
      placeholders: templates.flatMap(placeholdersOf),
      variables: this.variables,
      patterns: this.#patterns,
      detectLanguage: this.detectLanguage,
    };
  }

  /** Returns the earlier message whose result the subject refers to, if any. */
  #requiredMessages(subject: Subject, of: Message): Message[] {
    if (subject.kind === 'variable' || subject.kind === 'first value') {
      const isKnown = subject.kind === 'variable' ? this.variables.has(subject) : this.variables.get(subject.id);
      if (isKnown) return [];
      throw danglingReference(subject.text, 'refers to a variable that does not exist');
    }
    const message = this.byId.get(subject.kind === 'message' ? subject.messageId : subject.id);
    if (!message) throw danglingReference(subject.text, 'refers to a message that does not exist');
    if (this.#earlier.has(message)) return [message];
    // A round of a loop may use the results of earlier rounds.
    if (message === of && of.isLoop) return [];
    throw danglingReference(
      subject.text,
      `refers to message ${message.key}, which does not run before message ${of.key}`,
    );
  }
}

import { isObject, type JsonObject, textOf } from '../../../engine/json-value.js';
import {
  fill,
  type Placeholder,
  parseTemplate,
  placeholdersOf,
  type Template,
  type VariablePlaceholder,
} from '../../../engine/scenario/placeholders.js';
import type { Database } from '../../../platform/database/database.js';
import type { Page, PageArgs } from '../../../platform/lists/page.js';
import type { ProjectAccess } from '../../projects/access.js';
import type { Prompt } from '../../prompts/prompt.js';
import { findPrompt, PROMPT_LIST, PROMPT_READS } from '../../prompts/prompt-reads.js';
import type { Variable } from '../../variables/variable.js';
import { VARIABLE_READS } from '../../variables/variable-reads.js';
import { invalidParams } from './json-rpc.js';
import type { McpCaller } from './mcp-caller.js';

/** Maximum number of placeholders of a prompt that clients can set as arguments. */
const MAX_ARGUMENTS = 50;
/** Maximum number of variables of a prompt whose stored values are inserted. */
const MAX_VARIABLES = 1_000;
const MAX_NAME_CHARACTERS = 255;

/** The prompts of a project. Their arguments are the values that they insert. */
export class PromptLibrary {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The prompts by position. */
  async list({ viewer, projectId }: McpCaller, page: PageArgs): Promise<Page<JsonObject>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const prompts = await PROMPT_LIST.page(this.database, viewer, { projectId }, page);
    const whole = await PROMPT_READS.withPayloadsByIds(
      this.database,
      prompts.items.map(({ id }) => id),
    );
    const templates = new Map(whole.map(({ id, content }) => [id, parseTemplate(content)]));
    const keys = await this.#keysOf(projectId, [...templates.values()]);
    const items = prompts.items.map(({ id, key, role }) => {
      const names = argumentNames(templates.get(id) ?? [], keys);
      return { name: key, description: `A ${role} prompt.`, arguments: toArguments(names) };
    });
    return { ...prompts, items };
  }

  /** The text of a prompt, with arguments and stored values in place of its placeholders. */
  async get({ viewer, projectId }: McpCaller, { name, arguments: values = {} }: JsonObject): Promise<JsonObject> {
    if (typeof name !== 'string') throw invalidParams('params.name must be the name of a prompt.');
    if (!isObject(values)) throw invalidParams('params.arguments must be an object.');
    await this.access.authorize(viewer, projectId, 'project.read');
    const prompt = await findPrompt(this.database, projectId, name);
    if (!prompt)
      throw invalidParams(`No prompt has the name "${name.slice(0, MAX_NAME_CHARACTERS)}": see prompts/list.`);
    const template = parseTemplate(prompt.content);
    const variables = await this.#variablesOf(projectId, template);
    const names = argumentNames(template, new Map(variables.map(({ id, key }) => [id, key])));
    const missing: string[] = [];
    const text = fill(template, placeholder => {
      const argument = names.get(placeholder);
      if (argument !== undefined && Object.hasOwn(values, argument)) return textOf(values[argument]);
      const stored = placeholder.kind === 'variable' ? storedValue(placeholder, variables) : undefined;
      if (stored === undefined) missing.push(argument ?? placeholder.text);
      return stored ?? '';
    });
    if (missing.length > 0) throw invalidParams(`The prompt needs the arguments ${[...new Set(missing)].join(', ')}.`);
    return {
      description: `A ${prompt.role} prompt.`,
      messages: [{ role: roleOf(prompt), content: { type: 'text', text } }],
    };
  }

  async #keysOf(projectId: number, templates: readonly Template[]): Promise<Map<number, string>> {
    const ids = [...new Set(templates.flatMap(variableIds))];
    const variables = (await VARIABLE_READS.byIds(this.database, ids)).filter(each => each.projectId === projectId);
    return new Map(variables.map(({ id, key }) => [id, key]));
  }

  async #variablesOf(projectId: number, template: Template): Promise<Variable[]> {
    const ids = [...new Set(variableIds(template))].slice(0, MAX_VARIABLES);
    return (await VARIABLE_READS.withPayloadsByIds(this.database, ids)).filter(each => each.projectId === projectId);
  }
}

function variableIds(template: Template): number[] {
  return placeholdersOf(template).flatMap(each => (each.kind === 'variable' ? each.variableId : []));
}

/** The arguments by name, each once. Only results of messages have no stored value that could replace the argument. */
function toArguments(names: ReadonlyMap<Placeholder, string>): JsonObject[] {
  const kinds = new Map([...names].map(([placeholder, name]) => [name, placeholder.kind]));
  return [...kinds].map(([name, kind]) => ({ name, required: kind === 'message' }));
}

/** An argument has the name of its variable, followed by the id of a value if the prompt inserts several. */
function argumentNames(template: Template, keys: ReadonlyMap<number, string>): Map<Placeholder, string> {
  const placeholders = placeholdersOf(template);
  const selections = Map.groupBy(
    placeholders.filter(each => each.kind === 'variable'),
    ({ variableId }) => variableId,
  );
  const names = new Map<Placeholder, string>();
  for (const placeholder of placeholders.slice(0, MAX_ARGUMENTS)) {
    if (placeholder.kind === 'message') names.set(placeholder, `message-${placeholder.messageId}`);
    else {
      const key = keys.get(placeholder.variableId) ?? `variable-${placeholder.variableId}`;
      const isOnly = new Set(selections.get(placeholder.variableId)!.map(selectionOf)).size === 1;
      names.set(placeholder, isOnly ? key : `${key}-${selectionOf(placeholder)}`);
    }
  }
  return names;
}

/** Names the value of the variable that a placeholder inserts: by its id, the current one of a loop, or by its index. */
function selectionOf({ pick, valueId }: VariablePlaceholder): string {
  return pick === -1 ? `${valueId ?? 'current'}` : `at-${pick}`;
}

/** The stored value that a placeholder selects. Undefined: there is none, or it is the current item of a loop. */
function storedValue(
  { pick, variableId, valueId }: VariablePlaceholder,
  variables: readonly Variable[],
): string | undefined {
  const values = variables.find(({ id }) => id === variableId)?.variableNames ?? [];
  const selected = pick === -1 ? values.find(({ id }) => id === valueId) : values.filter(each => each.isActive)[pick];
  return selected?.value;
}

/** MCP has no system role: its prompts are messages of the user. */
function roleOf({ role }: Prompt): 'user' | 'assistant' {
  return role === 'assistant' ? 'assistant' : 'user';
}

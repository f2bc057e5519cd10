/** Arguments of a tool call: an object of any members. */
export type Arguments = Record<string, unknown>;

/** One input of the form. `json` takes any value. */
export interface ArgumentField {
  name: string;
  /** Label of the input. */
  title: string;
  description: string | null;
  isRequired: boolean;
  type: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  choices: readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

export function toArguments(value: unknown): Arguments {
  return isObject(value) ? value : {};
}

/** The inputs for arguments: the members of the schema, then members that only the arguments have. */
export function fieldsOf(schema: unknown, given: Arguments): ArgumentField[] {
  const { properties, required } = isObject(schema) ? schema : {};
  const declared = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  const names = [...Object.keys(declared), ...Object.keys(given).filter(name => !Object.hasOwn(declared, name))];
  return names.map(name => {
    const member = isObject(declared[name]) ? declared[name] : {};
    const allowed: unknown[] = Array.isArray(member.enum) ? member.enum : [];
    const value = given[name];
    const choices = allowed.every(isText) && (value === undefined || isText(value)) ? allowed : [];
    return {
      name,
      title: typeof member.title === 'string' ? member.title : name,
      description: typeof member.description === 'string' ? member.description : null,
      isRequired: needed.includes(name),
      choices,
      // Values that are not texts keep their type only as JSON.
      type: allowed.length === 0 ? typeOf(member.type, value) : choices.length === 0 ? 'json' : 'choice',
    };
  });
}

function typeOf(type: unknown, value: unknown): ArgumentField['type'] {
  if (type === 'string' && (value === undefined || typeof value === 'string')) return 'text';
  if ((type === 'number' || type === 'integer') && (value === undefined || typeof value === 'number')) return 'number';
  if (type === 'boolean' && (value === undefined || typeof value === 'boolean')) return 'boolean';
  if (type === undefined && typeof value === 'string') return 'text';
  return 'json';
}

/** Returns the arguments with another value of one member; undefined removes the member. */
export function withMember(given: Arguments, name: string, value: unknown): Arguments {
  if (value === undefined) return Object.fromEntries(Object.entries(given).filter(([one]) => one !== name));
  return { ...given, [name]: value };
}

export interface ArgumentChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** The members that differ. Null: the member is absent. */
export function changesOf(before: Arguments, after: Arguments): ArgumentChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap(name => {
    const [oldJson, newJson] = [jsonOf(before, name), jsonOf(after, name)];
    if (oldJson === newJson) return [];
    const [oldText, newText] = [textOf(before, name), textOf(after, name)];
    // The texts of 5 and "5" are equal; their JSON shows the difference.
    const isTypeChange = oldText === newText;
    return [{ name, before: isTypeChange ? oldJson : oldText, after: isTypeChange ? newJson : newText }];
  });
}

function jsonOf(given: Arguments, name: string): string | null {
  return Object.hasOwn(given, name) ? JSON.stringify(given[name]) : null;
}

/** For display: texts without quotation marks. */
function textOf(given: Arguments, name: string): string | null {
  if (!Object.hasOwn(given, name)) return null;
  const value = given[name];
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

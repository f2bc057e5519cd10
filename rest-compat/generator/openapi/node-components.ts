import type { JsonSchema } from './json-schema.js';

/** A kind of node with the JSON Schema of its `data`. */
export interface NodeKindSchema {
  /** The member `type` of a node, such as `http-node`. */
  readonly type: string;
  /** Name of the schema of `data`, such as `HTTPNodeInput`. */
  readonly node_type: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

type Properties = Readonly<Record<string, JsonSchema>>;

const COMMON = 'NodeData';

/**
 * The components of a graph's nodes: one for the members of `data` that all kinds have, one for the `data` of each kind, one for each
 * kind of node, and `GraphNode`, which is any of them by `type`.
 */
export function nodeComponents(kinds: readonly NodeKindSchema[]): Record<string, JsonSchema> {
  const common = commonProperties(kinds);
  const components: Record<string, JsonSchema> = {
    [COMMON]: { type: 'object', description: 'Members of `data` that every kind of node has.', properties: common },
  };
  for (const kind of kinds) components[kind.node_type] = dataSchema(kind, common);
  for (const kind of kinds) components[nodeName(kind)] = nodeSchema(kind);
  components.GraphNode = {
    description: 'A node of a graph. Its `type` decides the members of `data`.',
    oneOf: kinds.map(kind => refTo(nodeName(kind))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(kinds.map(kind => [kind.type, refTo(nodeName(kind)).$ref])),
    },
  };
  return components;
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `HttpGraphNode` for `http-node`. */
function nodeName({ type }: NodeKindSchema): string {
  const words = type.replace(/-node$/, '').split('-');
  return `${words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')}GraphNode`;
}

function propertiesOf({ schema }: NodeKindSchema): Properties {
  return (schema.properties ?? {}) as Properties;
}

/** The members that all kinds have, as most kinds describe them. A kind may narrow one. */
function commonProperties(kinds: readonly NodeKindSchema[]): Properties {
  const all = kinds.map(propertiesOf);
  const names = Object.keys(all[0] ?? {}).filter(name => all.every(properties => name in properties));
  return Object.fromEntries(names.map(name => [name, mostFrequent(all.map(properties => properties[name]!))]));
}

function mostFrequent(schemas: readonly JsonSchema[]): JsonSchema {
  const groups = Map.groupBy(schemas, schema => JSON.stringify(schema));
  const [[first]] = [...groups.values()].toSorted((a, b) => b.length - a.length) as [[JsonSchema]];
  return first;
}

function dataSchema(kind: NodeKindSchema, common: Properties): JsonSchema {
  const { $schema: _dialect, properties: _members, ...rest } = kind.schema;
  const isOwn = ([name, member]: [string, JsonSchema]) => JSON.stringify(common[name]) !== JSON.stringify(member);
  const own = Object.entries(propertiesOf(kind)).filter(isOwn);
  return {
    ...rest,
    description: `Settings of a node of the type \`${kind.type}\`. ${kind.description}`,
    allOf: [refTo(COMMON)],
    properties: Object.fromEntries(own),
  };
}

function nodeSchema(kind: NodeKindSchema): JsonSchema {
  return {
    type: 'object',
    description: kind.description,
    properties: {
      id: { type: 'string', description: 'UUID of the node, unique in the graph.' },
      type: { type: 'string', enum: [kind.type], description: 'Type of the node.' },
      position: {
        type: 'object',
        description: 'Position in the editor.',
        properties: {
          x: { type: 'number', description: 'Distance from the left in pixels.' },
          y: { type: 'number', description: 'Distance from the top in pixels.' },
        },
      },
      data: { ...refTo(kind.node_type), description: 'Settings of the node.' },
    },
    required: ['id', 'type', 'data'],
  };
}

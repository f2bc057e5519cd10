import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { FIELD_GROUPS, OPTION_SOURCES, WIDGETS } from '../../../engine/workflow/graph/node-form.js';
import { JSONValue } from '../../../platform/json/scalars.js';

/** Builds the object from which TypeGraphQL reads the values of an enum. */
function enumOf<Value extends string>(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map(value => [value.toUpperCase(), value]));
}

export enum NodeCategory {
  START = 'start',
  LOGIC = 'logic',
  AI = 'ai',
  INTEGRATION = 'integration',
  DATA = 'data',
  END = 'end',
}
registerEnumType(NodeCategory, {
  name: 'NodeCategory',
  description: 'Group of kinds of nodes in the list of an editor.',
  valuesConfig: {
    START: { description: 'Where a run starts.' },
    LOGIC: { description: 'Branches, loops, waits and sub-runs.' },
    AI: { description: 'Calls of models.' },
    INTEGRATION: { description: 'Calls of other services.' },
    DATA: { description: 'Texts, code and searches.' },
    END: { description: 'Where a run ends.' },
  },
});

export const NodeFieldWidget = enumOf(WIDGETS);
registerEnumType(NodeFieldWidget, {
  name: 'NodeFieldWidget',
  description: 'Input element of a setting in a form.',
  valuesConfig: {
    TEXT: { description: 'One line of text, which may contain placeholders.' },
    TEXTAREA: { description: 'Several lines of text, which may contain placeholders.' },
    CODE: { description: 'JavaScript.' },
    URL: { description: 'An http or https URL, which may contain placeholders.' },
    NUMBER: { description: 'A number. The limits are in the schema.' },
    SWITCH: { description: 'True or false.' },
    SELECT: { description: 'One of the values of the schema.' },
    JSON: { description: 'Any JSON value.' },
    KEY_VALUE: { description: 'An object of names and values.' },
    LIST: { description: 'A list of items. Each item has the fields below the path of the list.' },
    STRINGS: { description: 'A list of texts.' },
    MODEL: { description: 'The name of a model.' },
    PROVIDER: { description: 'The name of a provider.' },
    WORKFLOW: { description: 'The id of a workflow of the project.' },
    SCENARIO: { description: 'The id of a scenario of the project.' },
    DOCUMENTS: { description: 'A list of ids of documents of the project.' },
    GRAPH: { description: 'A graph with `nodes` and `edges`.' },
    CONDITION: {
      description:
        'A comparison with `left`, `operator`, `right` and `ignore_case`, or a group with `combine` and `conditions`.',
    },
    CONNECTION: { description: 'The id of a connection of the project.' },
    HIDDEN: { description: 'No element. The editor of the graph sets the value.' },
  },
});

export const NodeFieldGroup = enumOf(FIELD_GROUPS);
registerEnumType(NodeFieldGroup, {
  name: 'NodeFieldGroup',
  description: 'Section of a form. Sections are shown in the order of these values.',
  valuesConfig: {
    SETTINGS: { description: 'Settings of the function of the node.' },
    MODEL: { description: 'The language model.' },
    MEMORY: { description: 'Earlier messages of a conversation.' },
    REQUEST: { description: 'The request to another system.' },
    APPROVAL: { description: 'Approvals by people.' },
    ADVANCED: { description: 'Settings that rarely change.' },
    ERRORS: { description: 'Time limit, retries and failures.' },
    GENERAL: { description: 'Members that every node has.' },
  },
});

export const NodeFieldOptions = enumOf(OPTION_SOURCES);
registerEnumType(NodeFieldOptions, {
  name: 'NodeFieldOptions',
  description: 'Objects of the service from which the value of a field is selected.',
  valuesConfig: {
    MODELS: { description: 'Models that the configured providers serve.' },
    PROVIDERS: { description: 'Configured providers.' },
    WORKFLOWS: { description: 'Workflows of the project, except the edited one.' },
    SCENARIOS: { description: 'Scenarios of the project.' },
    DOCUMENTS: { description: 'Documents of the project.' },
    CONNECTIONS: { description: 'Connections of the project whose kind the description of the field names.' },
    MCP_TOOLS: { description: 'Tools of the MCP server of the same settings, listed by `mcpTools`.' },
    MEMBERS: { description: 'Members of the project, by the id of their user.' },
    AGENTS: { description: 'The other agent nodes of the edited graph, by their ids.' },
  },
});

@ObjectType({ description: 'A condition on another field of the same node.' })
export class NodeFieldCondition {
  @Field(() => String, {
    description: 'Path of the other field. `*` stands for the same item of the list as in the path of the field.',
  })
  path!: string;

  @Field(() => [JSONValue], {
    description:
      'The condition holds when the value, or its default, is one of these. The empty text also stands for an absent value. At most 30 values.',
  })
  equals!: readonly unknown[];
}

@ObjectType({ description: 'How a form shows one setting of a node.' })
export class NodeField {
  @Field(() => String, {
    description: 'Dotted path inside `data`, for example `settings.model_name`. `*` stands for every item of a list.',
  })
  path!: string;

  @Field(() => String, { description: 'Label of the field, which is also the `title` in the schema.' })
  title!: string;

  @Field(() => NodeFieldWidget, { description: 'Input element.' })
  widget!: string;

  @Field(() => NodeFieldGroup, { description: 'Section of the form.' })
  group!: string;

  @Field(() => Boolean, { description: 'Whether the value can contain a credential, which a form hides.' })
  isSecret!: boolean;

  @Field(() => NodeFieldOptions, {
    nullable: true,
    description:
      'Objects from which the value is selected. Null when the schema lists the values or any value is valid.',
  })
  optionsFrom!: string | null;

  @Field(() => NodeFieldCondition, {
    nullable: true,
    description: 'Condition under which the field is shown. Null when it is always shown.',
  })
  showIf!: NodeFieldCondition | null;
}

@ObjectType({ description: 'The data with which an editor draws a kind of node and its form.' })
export class NodeUiHints {
  @Field(() => String, { description: 'Name of an icon of Tabler Icons, for example `world`.' })
  icon!: string;

  @Field(() => String, { description: 'Color as `#` and six hexadecimal digits.' })
  color!: string;

  @Field(() => [NodeField], {
    description: 'Fields in display order. A list precedes the fields of its items. At most 100.',
  })
  fields!: NodeField[];
}

@ObjectType({ description: 'An output of a kind of node, where edges begin.' })
export class NodeOutput {
  @Field(() => String, {
    nullable: true,
    description:
      'The `sourceHandle` of its edges. Null for the output that a node has without branches, whose edges have none.',
  })
  handle!: string | null;

  @Field(() => String, { description: 'Label of the output.' })
  title!: string;

  @Field(() => String, { description: 'When the run continues at this output.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Path of a list inside `data` with one such output for each item, for example `cases`. `handle` is that of the first item; the number at its end is the index of the item. Null for a single output.',
  })
  list!: string | null;

  @Field(() => NodeFieldCondition, {
    nullable: true,
    description: 'Condition under which the node has the output. Null when it always has it.',
  })
  showIf!: NodeFieldCondition | null;
}

@ObjectType({ description: 'A kind of node that graphs can contain.' })
export class NodeKind {
  @Field(() => String, { description: 'Name of the kind in REST, for example `HTTPNodeInput`.' })
  nodeType!: string;

  @Field(() => String, { description: 'Value of the member `type` in a graph, for example `http-node`.' })
  type!: string;

  @Field(() => String, { description: 'Display name, for example `HTTP request`.' })
  title!: string;

  @Field(() => String, { description: 'The function of the node and its content.' })
  description!: string;

  @Field(() => NodeCategory, { description: 'Group in the list of an editor.' })
  category!: `${NodeCategory}`;

  @Field(() => JSONValue, {
    description:
      'JSON Schema (2020-12) of the member `data` of a node, with the titles of the fields. Their hints are members that start with `x-`, such as `x-widget`, with the values of `uiHints` in lower case. Runs are validated by the same definition.',
  })
  schema!: unknown;

  @Field(() => NodeUiHints, { description: 'Icon, color and fields of the form.' })
  uiHints!: NodeUiHints;

  @Field(() => JSONValue, { description: 'Initial `data` of a new node, an object.' })
  defaults!: unknown;

  @Field(() => [NodeOutput], { description: 'The outputs of the node. At most 11; an output can stand for a list.' })
  outputs!: NodeOutput[];

  @Field(() => JSONValue, {
    nullable: true,
    description: 'JSON Schema (2020-12) of the content of the node. Null when the content is any text.',
  })
  contentSchema!: unknown;

  @Field(() => String, { description: 'Example of the content of the node.' })
  contentSample!: string;

  @Field(() => String, {
    description: 'Path and anchor of the documentation in the repository, for example `docs/nodes.md#http-node`.',
  })
  documentation!: string;
}

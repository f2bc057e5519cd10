import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime, JSONValue } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

@ObjectType({
  description:
    'An imported OpenAPI document: a set of operations that agents use as tools and from which HTTP nodes are filled.',
})
export class ApiDefinition {
  @Field(() => Int, { description: 'The id of the definition. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name, unique in the project.' })
  name!: string;

  @Field(() => String, { description: 'The title of the document.' })
  title!: string;

  @Field(() => String, { description: 'The version of the API, as the document states it.' })
  version!: string;

  @Field(() => String, { nullable: true, description: 'Where the document came from; null if it was sent as text.' })
  sourceUrl!: string | null;

  @Field(() => String, {
    description: 'The address of the API, without a slash at the end. Empty: the base URL of the connection.',
  })
  baseUrl!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the connection whose credentials the requests use; null if there is none.',
  })
  connectionId!: number | null;

  @Field(() => Int, { description: 'The number of operations.' })
  operationsCount!: number;

  @Field(() => [String], {
    description: 'Operations of the document that cannot be called, each with the reason, at most 100.',
  })
  skippedOperations!: string[];

  @Field(() => DateTime, { description: 'When the document was imported first.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the definition was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'An operation of an imported OpenAPI document.' })
export class ApiOperation {
  @Field(() => Int, { description: 'The id of the operation. Unique. A new import gives operations new ids.' })
  id!: number;

  @Field(() => String, {
    description: 'The name as a tool, unique in the document: 1-64 letters, digits, underscores and hyphens.',
  })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The `operationId` of the document; null if it has none.' })
  operationId!: string | null;

  @Field(() => String, { description: 'The HTTP method.' })
  method!: string;

  @Field(() => String, { description: 'The path below the base URL, with parameters in braces.' })
  path!: string;

  @Field(() => String, { description: 'A short summary, at most 300 characters. Empty: there is none.' })
  summary!: string;

  @Field(() => String, { description: 'A description, at most 4,000 characters. Empty: there is none.' })
  description!: string;

  @Field(() => JSONValue, { description: 'The JSON Schema of the arguments, an object.' })
  parameters!: object;

  @Field(() => JSONValue, {
    description: 'The operation as an element of `tools` of an agent node: an HTTP tool with typed arguments.',
  })
  agentTool!: object;

  @Field(() => JSONValue, {
    description:
      'The operation as settings of an HTTP node. Arguments are placeholders for fields of the input, such as `{{ input.id }}`.',
  })
  httpNode!: object;
}

@ObjectType({ description: 'One page of imported OpenAPI documents.' })
export class ApiDefinitionPage extends pageOf(ApiDefinition) {}

@ObjectType({ description: 'One page of operations of an imported OpenAPI document.' })
export class ApiOperationPage extends pageOf(ApiOperation) {}

import { Field, InputType, Int } from 'type-graphql';

const CONNECTION =
  'The id of a connection of the project, of a kind for HTTP, whose credentials the requests use. Its allowed hosts limit where they go.';
const BASE_URL =
  'The address of the API, http or https, at most 2,048 characters. Empty: the base URL of the connection.';

@InputType({ description: 'An OpenAPI document to import. Requires `url` or `document`.' })
export class ApiDefinitionImportInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, {
    description:
      'The name, 1-255 characters. If the project has a definition with this name, its document and operations are replaced.',
  })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The address of the document, http or https, at most 2,048 characters. Redirects are followed.',
  })
  url?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The document as text: OpenAPI 3.0 or 3.1, as JSON of at most 4 MiB or as YAML of at most 1 MiB.',
  })
  document?: string | null;

  @Field(() => String, { nullable: true, description: `${BASE_URL} Default: the first server of the document.` })
  baseUrl?: string | null;

  @Field(() => Int, { nullable: true, description: `${CONNECTION} Default: none.` })
  connectionId?: number | null;
}

@InputType({ description: 'Changes of an imported OpenAPI document. An absent member stays unchanged.' })
export class ApiDefinitionUpdateInput {
  @Field(() => String, { nullable: true, description: 'The new name, 1-255 characters, unique in the project.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: BASE_URL })
  baseUrl?: string | null;

  @Field(() => Int, { nullable: true, description: `${CONNECTION} Null: none.` })
  connectionId?: number | null;
}

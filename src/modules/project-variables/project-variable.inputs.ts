import { Field, InputType, Int } from 'type-graphql';

const HOSTS =
  'The hosts to which a secret may be sent: 0-50 host names such as `api.example.com`, `*.example.com` or `api.example.com:8443`. Empty: any host. Only for secrets.';

@InputType({ description: 'A new project variable.' })
export class ProjectVariableCreateInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, {
    description:
      'The name: 1-64 letters, digits and underscores that do not start with a digit. Unique in the project.',
  })
  name!: string;

  @Field(() => String, {
    description:
      'The value, at most 16,384 bytes of UTF-8. A secret has at least 6 characters, so that it can be masked.',
  })
  value!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the value is a secret. A secret is stored encrypted and never returned. Default: false. Null is refused.',
  })
  isSecret?: boolean | null;

  @Field(() => [String], { nullable: true, description: `${HOSTS} Default: empty.` })
  allowedHosts?: string[] | null;
}

@InputType({ description: 'Changes of a project variable. An absent member stays unchanged.' })
export class ProjectVariableUpdateInput {
  @Field(() => String, { nullable: true, description: 'The new name, by the rules of a new variable.' })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The new value, by the rules of a new variable. The mask `********` keeps the value of a secret. Required to change a secret to a plain variable and to allow further hosts for a secret.',
  })
  value?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the value is a secret. Null is refused.' })
  isSecret?: boolean | null;

  @Field(() => [String], { nullable: true, description: HOSTS })
  allowedHosts?: string[] | null;
}

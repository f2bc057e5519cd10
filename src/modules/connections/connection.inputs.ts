import { Field, InputType, Int } from 'type-graphql';
import {
  ConnectionClientAuthentication,
  ConnectionKeyPlacement,
  ConnectionKind,
  ConnectionTlsMode,
} from './connection.type.js';

const HOSTS =
  'The hosts to which the credentials may be sent: 1-50 host names such as `api.example.com`, `*.example.com` or `api.example.com:8443`. Not for mail servers and databases.';
const SECRET =
  'The API key, token, password or client secret, at most 16,384 bytes of UTF-8. At least 6 characters, except for mail servers and databases, so that it can be masked.';

@InputType({
  description:
    'Settings of a connection. A connection takes only the members of its kind. In an update, an absent member stays unchanged and null removes it.',
})
export class ConnectionSettingsInput {
  @Field(() => String, {
    nullable: true,
    description:
      'The URL to which nodes append their path, or the URL of the MCP server. An http or https URL of at most 2,048 characters.',
  })
  baseUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A path below `baseUrl` that requires the credentials, for the test of the connection.',
  })
  testPath?: string | null;

  @Field(() => ConnectionKeyPlacement, {
    nullable: true,
    description: 'Where the API key is sent. Default: `HEADER`.',
  })
  placement?: ConnectionKeyPlacement | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the header or parameter of the API key, 1-128 characters.',
  })
  keyName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A text in front of the API key, for example `Token `, at most 255 characters. Default: none.',
  })
  keyPrefix?: string | null;

  @Field(() => String, { nullable: true, description: 'The user name, at most 255 characters.' })
  username?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The host name or IP address of the server, at most 253 characters.',
  })
  host?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The port of the server, 1-65,535. Default: the usual one of the protocol.',
  })
  port?: number | null;

  @Field(() => String, { nullable: true, description: 'The name of the database, at most 255 characters.' })
  database?: string | null;

  @Field(() => ConnectionTlsMode, {
    nullable: true,
    description:
      'The encryption. Default: `VERIFY_FULL` for PostgreSQL; for SMTP `IMPLICIT` on port 465 or without a port, otherwise `STARTTLS`.',
  })
  tls?: ConnectionTlsMode | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the URL at which a user authorizes the service. It may have parameters.',
  })
  authorizationUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the URL that issues tokens.',
  })
  tokenUrl?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the id of the client, at most 255 characters.',
  })
  clientId?: string | null;

  @Field(() => ConnectionClientAuthentication, {
    nullable: true,
    description: 'OAuth 2: how the client identifies itself. Default: `BASIC`.',
  })
  clientAuthentication?: ConnectionClientAuthentication | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the requested scopes, separated by spaces, at most 2,048 characters.',
  })
  scopes?: string | null;
}

@InputType({ description: 'A new connection.' })
export class ConnectionCreateInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name: 1-255 characters, unique in the project.' })
  name!: string;

  @Field(() => ConnectionKind, {
    nullable: true,
    description: 'The form of the credentials. Required without a preset.',
  })
  kind?: ConnectionKind | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of a preset of `connectionPresets`. Its values are defaults. Default: none.',
  })
  preset?: string | null;

  @Field(() => ConnectionSettingsInput, { nullable: true, description: 'The settings. Default: those of the preset.' })
  settings?: ConnectionSettingsInput | null;

  @Field(() => String, { nullable: true, description: `${SECRET} Required for kinds that need one. Default: none.` })
  secret?: string | null;

  @Field(() => [String], { nullable: true, description: `${HOSTS} Default: the host of \`settings.baseUrl\`.` })
  allowedHosts?: string[] | null;
}

@InputType({ description: 'Changes of a connection. An absent member stays unchanged. The kind cannot change.' })
export class ConnectionUpdateInput {
  @Field(() => String, { nullable: true, description: 'The new name: 1-255 characters, unique in the project.' })
  name?: string | null;

  @Field(() => ConnectionSettingsInput, { nullable: true, description: 'Changes of the settings.' })
  settings?: ConnectionSettingsInput | null;

  @Field(() => String, {
    nullable: true,
    description: `${SECRET} The mask \`********\` keeps the stored one. Required to send the stored secret to other servers than before.`,
  })
  secret?: string | null;

  @Field(() => [String], { nullable: true, description: HOSTS })
  allowedHosts?: string[] | null;
}

import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

export enum ConnectionKind {
  API_KEY = 'api_key',
  BASIC = 'basic',
  BEARER = 'bearer',
  OAUTH2_CODE = 'oauth2_code',
  OAUTH2_CLIENT = 'oauth2_client',
  SMTP = 'smtp',
  POSTGRESQL = 'postgresql',
  MCP_BEARER = 'mcp_bearer',
  MCP_OAUTH = 'mcp_oauth',
}
registerEnumType(ConnectionKind, {
  name: 'ConnectionKind',
  description: 'The form of the credentials of a connection.',
  valuesConfig: {
    API_KEY: { description: 'An API key in a header or query parameter.' },
    BASIC: { description: 'HTTP basic authentication with a user name and a password.' },
    BEARER: { description: 'A token in the header `Authorization: Bearer`.' },
    OAUTH2_CODE: { description: 'OAuth 2 with an account that a user authorizes (authorization code with PKCE).' },
    OAUTH2_CLIENT: { description: 'OAuth 2 with the account of the client (client credentials).' },
    SMTP: { description: 'A mail server.' },
    POSTGRESQL: { description: 'A PostgreSQL database.' },
    MCP_BEARER: { description: 'An MCP server with a token.' },
    MCP_OAUTH: {
      description:
        'An MCP server with an account that a user authorizes. The service finds the authorization server and registers itself there.',
    },
  },
});

export enum ConnectionKeyPlacement {
  HEADER = 'header',
  QUERY = 'query',
}
registerEnumType(ConnectionKeyPlacement, {
  name: 'ConnectionKeyPlacement',
  description: 'Where an API key is sent.',
  valuesConfig: {
    HEADER: { description: 'In a header.' },
    QUERY: { description: 'In a query parameter of the URL.' },
  },
});

export enum ConnectionClientAuthentication {
  BASIC = 'basic',
  POST = 'post',
}
registerEnumType(ConnectionClientAuthentication, {
  name: 'ConnectionClientAuthentication',
  description: 'How an OAuth 2 client identifies itself when it requests tokens.',
  valuesConfig: {
    BASIC: { description: 'HTTP basic authentication.' },
    POST: { description: 'Members of the body.' },
  },
});

export enum ConnectionTlsMode {
  IMPLICIT = 'implicit',
  STARTTLS = 'starttls',
  VERIFY_FULL = 'verify_full',
  REQUIRE = 'require',
  NONE = 'none',
}
registerEnumType(ConnectionTlsMode, {
  name: 'ConnectionTlsMode',
  description: 'How the connection to a server is encrypted.',
  valuesConfig: {
    IMPLICIT: { description: 'SMTP: TLS from the start.' },
    STARTTLS: { description: 'SMTP: TLS after the greeting, required.' },
    VERIFY_FULL: { description: 'PostgreSQL: TLS with a check of the certificate.' },
    REQUIRE: { description: 'PostgreSQL: TLS without a check of the certificate.' },
    NONE: { description: 'Not encrypted.' },
  },
});

@ObjectType({ description: 'The settings of a connection that are not secret. Members of other kinds are null.' })
export class ConnectionSettings {
  @Field(() => String, {
    nullable: true,
    description:
      'The URL to which nodes append their path, or the URL of the MCP server. An http or https URL of at most 2,048 characters.',
  })
  baseUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A path below `baseUrl` that requires the credentials, for the test of the connection.',
  })
  testPath!: string | null;

  @Field(() => ConnectionKeyPlacement, {
    nullable: true,
    description: 'Where the API key is sent. Null: in a header.',
  })
  placement!: ConnectionKeyPlacement | null;

  @Field(() => String, { nullable: true, description: 'The name of the header or parameter of the API key.' })
  keyName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A text in front of the API key, for example `Token `. Null: none.',
  })
  keyPrefix!: string | null;

  @Field(() => String, { nullable: true, description: 'The user name.' })
  username!: string | null;

  @Field(() => String, { nullable: true, description: 'The host name or IP address of the server.' })
  host!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The port of the server, 1-65,535. Null: the usual one of the protocol.',
  })
  port!: number | null;

  @Field(() => String, { nullable: true, description: 'The name of the database.' })
  database!: string | null;

  @Field(() => ConnectionTlsMode, {
    nullable: true,
    description: 'The encryption. Null: `VERIFY_FULL` for PostgreSQL, by the port for SMTP.',
  })
  tls!: ConnectionTlsMode | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the URL at which a user authorizes the service. It may have parameters.',
  })
  authorizationUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the URL that issues tokens.',
  })
  tokenUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the id of the client, at most 255 characters.',
  })
  clientId!: string | null;

  @Field(() => ConnectionClientAuthentication, {
    nullable: true,
    description: 'OAuth 2: how the client identifies itself. Null: `BASIC`.',
  })
  clientAuthentication!: ConnectionClientAuthentication | null;

  @Field(() => String, {
    nullable: true,
    description: 'OAuth 2: the requested scopes, separated by spaces, at most 2,048 characters.',
  })
  scopes!: string | null;
}

@ObjectType({
  description:
    'Named credentials of a project for another service. Nodes name them by `connection_id`. The secret is stored encrypted and never returned.',
})
export class ConnectedService {
  @Field(() => Int, { description: 'The id of the connection. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name, 1-255 characters, unique in the project.' })
  name!: string;

  @Field(() => ConnectionKind, { description: 'The form of the credentials.' })
  kind!: ConnectionKind;

  @Field(() => String, { nullable: true, description: 'The preset from which it was created. Null: none.' })
  preset!: string | null;

  @Field(() => ConnectionSettings, { description: 'The settings that are not secret.' })
  settings!: ConnectionSettings;

  @Field(() => [String], {
    description: 'The hosts to which the credentials may be sent, at most 50. Empty for mail servers and databases.',
  })
  allowedHosts!: string[];

  @Field(() => Boolean, { description: 'Whether a secret is stored.' })
  hasSecret!: boolean;

  @Field(() => DateTime, { nullable: true, description: 'When the secret was last changed. Null: there is none.' })
  secretChangedAt!: Date | null;

  @Field(() => Boolean, {
    description: 'Whether nodes can use it. False: a user must authorize it first (`connectionAuthorizationStart`).',
  })
  isAuthorized!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'OAuth 2: when the next access token is requested. Null: there is none, or its lifetime is not known.',
  })
  refreshAt!: Date | null;

  @Field(() => DateTime, { description: 'When the connection was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the connection was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'The result of the test of a connection.' })
export class ConnectionTest {
  @Field(() => Boolean, { description: 'Whether the server accepted the credentials.' })
  isAccepted!: boolean;

  @Field(() => String, { description: 'What the server answered, in one sentence without secrets.' })
  message!: string;
}

@ObjectType({
  description:
    'The uses of a connection by one user in one workflow. Recorded at most once a minute and deleted 90 days after the last use.',
})
export class ConnectionUse {
  @Field(() => Int, { description: 'The id of the entry. Unique.' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'The id of the workflow. Null: a test, or a graph without one.' })
  workflowId!: number | null;

  @Field(() => Int, { nullable: true, description: 'The id of the user whose run used it. Null: none.' })
  userId!: number | null;

  @Field(() => UUID, { nullable: true, description: 'The id of the last run. Null: a test.' })
  runId!: string | null;

  @Field(() => DateTime, { description: 'When it was first used.' })
  firstUsedAt!: Date;

  @Field(() => DateTime, { description: 'When it was last used, to the minute.' })
  lastUsedAt!: Date;
}

@ObjectType({ description: 'Defaults of the connections to a well-known service.' })
export class ConnectionPreset {
  @Field(() => String, { description: 'The name for `ConnectionCreateInput.preset`, such as `github`.' })
  name!: string;

  @Field(() => String, { description: 'The name of the service for people.' })
  title!: string;

  @Field(() => ConnectionKind, { description: 'The kind of the connection.' })
  kind!: ConnectionKind;

  @Field(() => ConnectionSettings, { description: 'The default settings. The caller enters the others.' })
  settings!: ConnectionSettings;

  @Field(() => [String], {
    description: 'The members of `settings` that the caller must enter, by their GraphQL names, at most 5.',
  })
  missing!: string[];

  @Field(() => String, { description: 'Where the secret is created, in one sentence.' })
  help!: string;
}

@ObjectType({ description: 'One page of connections.' })
export class ConnectedServicePage extends pageOf(ConnectedService) {}

@ObjectType({ description: 'One page of the uses of a connection.' })
export class ConnectionUsePage extends pageOf(ConnectionUse) {}

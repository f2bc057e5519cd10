import { MODEL_PROVIDERS, type ModelProvider, variablesOf } from './model-providers.js';

/** The documentation of one environment variable. */
export interface VariableText {
  name: string;
  /** The value used when the variable is unset. Undefined: the text describes the behavior. */
  default?: string;
  text: string;
}

/** Variables under one heading of the documentation. */
export interface VariableGroup {
  title: string;
  variables: VariableText[];
}

const REQUIRED_IN_PRODUCTION =
  'Unset: generated in `DATA_DIR`. Required when `DATABASE_URL` is set and `NODE_ENV` is `production`. All processes need the same value.';

/** Descriptions of the key and base URL variables of providers that need more than the default text. */
const PROVIDER_DESCRIPTIONS: Partial<Record<ModelProvider, { apiKey: string; baseUrl: string }>> = {
  openai: {
    apiKey:
      'API key of the OpenAI-compatible upstream. If this and `OPENAI_BASE_URL` are unset, `echo` is the only model.',
    baseUrl:
      'Base URL of an OpenAI-compatible upstream for LLM nodes, messages and images. Ends in `/v1`. Unset with `OPENAI_API_KEY` set: the address of OpenAI.',
  },
  anthropic: {
    apiKey: 'API key of Anthropic, for models whose names start with `claude-` or `anthropic/`.',
    baseUrl: 'Base URL of Anthropic. Ends in `/v1`. Unset with the key set: the address of Anthropic.',
  },
  gemini: {
    apiKey: 'API key of Gemini, for models whose names start with `gemini-` or `gemini/`.',
    baseUrl: 'Base URL of Gemini. Ends in `/v1beta`. Unset with the key set: the address of Google.',
  },
};

const providerVariables = MODEL_PROVIDERS.flatMap((provider): VariableText[] => {
  const names = variablesOf(provider);
  const texts = PROVIDER_DESCRIPTIONS[provider];
  return [
    { name: names.apiKey, text: texts?.apiKey ?? `API key of the provider \`${provider}\`.` },
    {
      name: names.baseUrl,
      text: texts?.baseUrl ?? `Base URL of the provider \`${provider}\`. Unset with the key set: its default address.`,
    },
  ];
});

/** All variables in the order of docs/configuration.md. */
export const VARIABLE_GROUPS: readonly VariableGroup[] = [
  {
    title: 'Process and network',
    variables: [
      { name: 'PORT', default: '4000', text: 'Port for HTTP and WebSocket. `0` selects a free port and prints it.' },
      { name: 'HOST', default: '127.0.0.1', text: 'Address to listen on.' },
      {
        name: 'PUBLIC_URL',
        text: 'URL at which users reach the service. Links in results, such as images, use it. Unset: `http://localhost` with `PORT`.',
      },
      { name: 'ROLE', default: 'all', text: '`api` serves requests, `worker` executes runs, `all` does both.' },
      {
        name: 'SHUTDOWN_DELAY_SECONDS',
        default: '0',
        text: 'Seconds for which a stopping process still serves requests while `/readyz` returns 503, so that load balancers stop sending requests first.',
      },
      {
        name: 'TRUSTED_PROXIES',
        text: 'Comma-separated IP addresses and CIDR blocks of proxies, such as `10.0.0.0/8`. The audit log and the limits by client address then use `X-Forwarded-For`. Unset: the address of the connection.',
      },
      {
        name: 'CORS_ORIGINS',
        text: 'Comma-separated origins whose pages may call the API from a browser, or `*`. Unset: none.',
      },
      {
        name: 'NODE_ENV',
        text: '`production` forbids `CRASH_AT`. Together with `DATABASE_URL` it requires `JWT_SECRET`, `SERVICE_TOKEN` and `ENCRYPTION_KEY`.',
      },
    ],
  },
  {
    title: 'Database, files and secrets',
    variables: [
      { name: 'DATABASE_URL', text: 'URL of PostgreSQL 14 or newer. Unset: an embedded database in `DATA_DIR`.' },
      {
        name: 'DATA_DIR',
        default: '.data',
        text: 'Folder of the embedded database, uploaded files, generated secrets, and ledger entries of chat completions that the database has not accepted yet. Its disk must outlive the process.',
      },
      {
        name: 'STORAGE_URL',
        text: 'Storage of uploaded files: `file:<folder>`, or `s3://bucket/prefix?endpoint=…&region=…`. Unset: `files` in `DATA_DIR`. Several processes need shared storage.',
      },
      {
        name: 'AWS_ACCESS_KEY_ID',
        text: 'Key id of the S3-compatible storage. Required when `STORAGE_URL` names S3 storage.',
      },
      { name: 'AWS_SECRET_ACCESS_KEY', text: 'Secret key of the S3-compatible storage.' },
      { name: 'ENCRYPTION_KEY', text: `Key that encrypts secrets at rest. ${REQUIRED_IN_PRODUCTION}` },
      { name: 'JWT_SECRET', text: `Key that signs session tokens. ${REQUIRED_IN_PRODUCTION}` },
      {
        name: 'SERVICE_TOKEN',
        text: `Token with which an external execution service reports runs. ${REQUIRED_IN_PRODUCTION}`,
      },
    ],
  },
  {
    title: 'First administrator and logins',
    variables: [
      {
        name: 'ADMIN_EMAIL',
        text: 'Email of the first administrator. Used only on first start. Unset: `admin@scenarium.local`.',
      },
      {
        name: 'ADMIN_PASSWORD',
        text: 'Password of the first administrator. Used only on first start. Unset: generated and printed once.',
      },
      {
        name: 'ADMIN_API_KEY',
        text: 'First API key. Used only on first start. Unset: generated and printed once.',
      },
      {
        name: 'JWT_JWKS_URL',
        text: 'URL of the key set of an external token issuer (RS256 or ES256). Requires `JWT_ISSUER` and `JWT_AUDIENCE`.',
      },
      { name: 'JWT_ISSUER', text: 'The `iss` claim of tokens of the external issuer.' },
      { name: 'JWT_AUDIENCE', text: 'The `aud` claim of tokens that are valid for this service.' },
      {
        name: 'OIDC_ISSUER',
        text: 'OpenID Connect issuer at which users can sign in to the console ([details](people.md#sign-in-at-an-issuer)). Requires `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `PUBLIC_URL`. Register the redirect address `PUBLIC_URL` + `/console/oidc/callback` there. Unset: no such sign-in.',
      },
      { name: 'OIDC_CLIENT_ID', text: 'Client id of the service at the issuer.' },
      { name: 'OIDC_CLIENT_SECRET', text: 'Client secret of the service at the issuer.' },
      { name: 'OIDC_NAME', text: 'Name of the issuer on the sign-in page. Unset: its host.' },
      {
        name: 'OIDC_DOMAINS',
        text: 'Comma-separated domains. Only emails of exactly these domains may sign in at the issuer. `*`, or unset: all.',
      },
      {
        name: 'OIDC_CREATE_USERS',
        default: 'off',
        text: '`on`: a sign-in at the issuer creates a user for an unknown email. Requires `OIDC_DOMAINS`. `off`: users must exist.',
      },
      {
        name: 'SMTP_URL',
        text: 'URL of the SMTP server for emails of the service. The server may be in a private network. Users who forgot their password can then request a link by email. Requires `MAIL_FROM` and `PUBLIC_URL`. All processes need the same value. Unset: the service sends no emails of its own.',
      },
      { name: 'MAIL_FROM', text: 'Sender address of emails of the service.' },
    ],
  },
  {
    title: 'Model providers and outbound calls',
    variables: [
      ...providerVariables,
      {
        name: 'PROVIDER_CONCURRENCY',
        default: '64',
        text: 'Maximum number of concurrent calls of nodes and messages of one process to one provider. Further calls wait.',
      },
      {
        name: 'PROVIDER_PROJECT_CONCURRENCY',
        text: 'Maximum number of concurrent calls of nodes and messages of one process to one provider for one project. Projects share the slots fairly. Unset: about 7/8 of `PROVIDER_CONCURRENCY`; all of it if it is below 4.',
      },
      {
        name: 'CHAT_FALLBACKS',
        text: 'Comma-separated models that the chat proxy calls, in this order, when the requested model returns 429 or 5xx or does not answer.',
      },
      {
        name: 'CHAT_RETRIES',
        default: '0',
        text: 'Number of retries of the chat proxy with the same model after a 429, a 5xx or no answer. It waits as long as the provider asks, otherwise with exponential backoff, but not beyond the time limit of the call.',
      },
      {
        name: 'OUTBOUND_ALLOW',
        text: 'Comma-separated host, host:port or CIDR entries. Runs and webhooks may call them although their addresses are not public.',
      },
    ],
  },
  {
    title: 'Limits of requests and sockets',
    variables: [
      {
        name: 'RATE_LIMIT_PER_MINUTE',
        default: '60',
        text: 'Requests of one API key per minute, over all processes. A limit of the key itself takes precedence. `0`: unlimited.',
      },
      {
        name: 'ANONYMOUS_LIMIT_PER_MINUTE',
        default: '300',
        text: 'Requests per minute without valid credentials from one client address (for IPv6 a /64), by process. Further requests return 429. Keys that this process accepted before are exempt. `0`: unlimited. Behind a proxy, set `TRUSTED_PROXIES`.',
      },
      {
        name: 'LOGIN_LIMIT_PER_MINUTE',
        default: '30',
        text: 'Login attempts per minute from one client address, by process. `0`: unlimited.',
      },
      { name: 'MAX_BODY_MB', default: '5', text: 'Maximum size of a request body in megabytes. Larger: 413.' },
      { name: 'MAX_UPLOAD_MB', default: '50', text: 'Maximum size of an uploaded file in megabytes. Larger: 413.' },
      {
        name: 'PAGE_MAX_BYTES',
        default: '4194304',
        text: 'Maximum bytes of results, inputs, graphs, prompts, values of variables and other texts in one response of a list (4 MiB). Later items come without them, and the header `X-Scenarium-Shortened` names these items.',
      },
      {
        name: 'MAX_SOCKETS',
        default: '20000',
        text: 'Maximum number of open WebSockets and HTTP subscriptions of one process. Further ones return 503.',
      },
      {
        name: 'MAX_SOCKETS_PER_USER',
        default: '1000',
        text: 'Maximum number of open WebSockets and HTTP subscriptions of one user in one process, over all keys and sessions. Further sockets are closed with 1013, further HTTP subscriptions return 429.',
      },
      {
        name: 'MAX_SOCKET_OPERATIONS',
        default: '200',
        text: 'Maximum number of concurrent operations on one WebSocket, subscriptions included. Further operations fail with `RATE_LIMITED`.',
      },
      {
        name: 'GRAPHQL_INTROSPECTION',
        default: 'on',
        text: '`off` forbids schema queries and removes suggestions of names from errors. GraphiQL then has no explorer.',
      },
      {
        name: 'GRAPHQL_SAFELIST',
        text: 'JSON file with the permitted GraphQL operations: `{"name": "text"}`, or a persisted query manifest of Apollo. Unset: all operations are permitted.',
      },
      { name: 'OPENAPI', default: 'on', text: '`off`: `/openapi.json` and `/docs` return 404.' },
    ],
  },
  {
    title: 'Runs and workers',
    variables: [
      {
        name: 'WORKER_CONCURRENCY',
        default: '50',
        text: 'Maximum number of workflow runs that one worker executes at once, and the same number of scenario runs. A workflow run whose end is being written does not count, but at most as many again. Runs that processes with `ROLE` `api` assign at the same moment can exceed it. Below 4, none are assigned.',
      },
      {
        name: 'PROJECT_QUEUE_MAX',
        default: '100000',
        text: 'Approximate maximum number of queued workflow runs of one project. Further starts return 429 until the queue shrinks.',
      },
      {
        name: 'CODE_MAX_SECONDS',
        default: '30',
        text: 'Maximum running time of the script of a code node, regardless of its `timeout_seconds`.',
      },
      {
        name: 'RUN_MAX_SECONDS',
        default: '86400',
        text: 'Maximum working time of a run in seconds, summed over all workers that execute it. Waiting for a slot or a thread counts; waiting in the run queue does not. A longer run fails.',
      },
      {
        name: 'RUN_MAX_BYTES',
        default: '67108864',
        text: 'Maximum bytes of all node contents of one run (64 MiB). A larger run fails.',
      },
    ],
  },
  {
    title: 'Spending, storage and retention',
    variables: [
      { name: 'SR_PER_USD', default: '100', text: 'Exchange rate from US dollars to `SR`, the internal currency.' },
      {
        name: 'USER_LIMIT_USD',
        text: 'US dollars that a user may spend in total with the provider keys of the service, unless an administrator sets another limit (`operatorLimitSet`, `npm run cli -- limit user`). `0`: only users with their own limit may use these keys. Unset: unlimited.',
      },
      {
        name: 'PROJECT_LIMIT_USD',
        text: 'US dollars that one project may spend in total with the provider keys of the service, unless an administrator sets another limit (`operatorLimitSet`, `npm run cli -- limit project`). Calls with a provider key of the project do not count. `0`: only projects with their own limit may use these keys. Unset: unlimited.',
      },
      {
        name: 'PROJECT_STORAGE_MB',
        default: '10240',
        text: 'Megabytes that the stored files of a project may occupy, unless an administrator sets another limit (`projectStorageLimitSet`). Above: 413. `0`: unlimited.',
      },
      {
        name: 'RUN_RESULT_TTL_DAYS',
        default: '30',
        text: 'Days until the result of a finished run expires ([details](operations.md#what-is-kept-and-for-how-long)).',
      },
      {
        name: 'ARCHIVE_TTL_DAYS',
        default: '90',
        text: 'Days until a deleted workflow and its runs are removed from the database. Their ledger rows stay.',
      },
    ],
  },
  {
    title: 'Logs, metrics and traces',
    variables: [
      { name: 'LOG_LEVEL', default: 'info', text: 'Minimum level of the log.' },
      {
        name: 'LOG_FORMAT',
        text: '`json`: one JSON object per line. `pretty`: text for a terminal. Unset: `pretty` when standard output is a terminal, otherwise `json`.',
      },
      {
        name: 'METRICS_TOKEN',
        text: 'Bearer token of `/metrics`. Unset: processes on the same machine may read it; in production it is closed.',
      },
      {
        name: 'METRICS_PORT',
        text: 'Additional port for `/metrics`, `/healthz` and `/readyz`, also for workers. Without `METRICS_TOKEN` it requires no credentials.',
      },
      {
        name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
        text: 'Base URL of an OpenTelemetry collector (OTLP over HTTP). Unset: no traces.',
      },
      {
        name: 'OTEL_TRACES_SAMPLER_ARG',
        default: '1',
        text: 'Sampling ratio (0-1) of traces that start in this service. The sampling decision of a caller takes precedence.',
      },
      {
        name: 'CRASH_AT',
        text: 'Failpoint for tests: `name` or `name:n` kills the process (SIGKILL) when it reaches the point for the n-th time; `name:n:stop` suspends it (SIGSTOP) until SIGCONT.',
      },
    ],
  },
];

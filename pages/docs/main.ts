import { storedApiKey } from '../identity/api-key.js';
import { renderBar } from './bar.js';
import { fetchAsCaller, type Operations } from './fetch-as-caller.js';

interface Scalar {
  createApiReference(selector: string, configuration: Record<string, unknown>): unknown;
}

interface OpenApiDocument {
  paths: Operations & Record<string, Record<string, { parameters?: { required?: boolean; example?: unknown }[] }>>;
  components?: { securitySchemes?: Record<string, { type?: string; name?: string }> };
}

/** Finds the name of the security scheme for API keys. */
function apiKeyScheme({ components }: OpenApiDocument): string | undefined {
  const schemes = Object.entries(components?.securitySchemes ?? {});
  return schemes.find(([, scheme]) => scheme.type === 'apiKey' && scheme.name?.toLowerCase() === 'x-api-key')?.[0];
}

/**
 * Removes the examples of optional parameters, because Scalar sends examples as values: `name__icontains=support` would
 * filter the list, and an equal `Idempotency-Key` would repeat an earlier response.
 */
function withoutOptionalExamples(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods));
  for (const parameter of operations.flatMap(({ parameters }) => parameters ?? []))
    if (parameter.required !== true) delete parameter.example;
  return document;
}

/**
 * Scalar offers code samples for about fifty HTTP clients. These lists keep curl, `fetch` and one or two clients of each
 * common language, so that all samples fit into one menu.
 */
const HIDDEN_LANGUAGES = ['c', 'clojure', 'dart', 'fsharp', 'http', 'julia', 'objc', 'ocaml', 'powershell', 'r'];
const HIDDEN_CLIENTS = [
  ...['asynchttp', 'axios', 'http1.1', 'httpie', 'httpx_async', 'httpx_sync', 'jquery', 'laravel', 'ofetch'],
  ...['aiohttp', 'restsharp', 'unirest', 'wget', 'xhr'],
];

const currentSession = renderBar('#bar');
const document = (await (await fetch('/openapi.json')).json()) as OpenApiDocument;
const scheme = apiKeyScheme(document);
const { Scalar } = globalThis as unknown as { Scalar: Scalar };
Scalar.createApiReference('#page', {
  content: withoutOptionalExamples(document),
  customFetch: fetchAsCaller(document.paths, currentSession),
  ...(scheme !== undefined && {
    authentication: { preferredSecurityScheme: scheme, securitySchemes: { [scheme]: { value: storedApiKey() } } },
  }),
  // pages/identity/api-key.ts stores the key.
  persistAuth: false,
  // Features that call other hosts are off. The content security policy of the page blocks them anyway.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: [...HIDDEN_LANGUAGES, ...HIDDEN_CLIENTS],
});

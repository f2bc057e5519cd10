import { storedApiKey } from '../identity/api-key.js';
import { showBar } from './bar.js';
import { fetchAsCaller, type Operations } from './fetch-as-caller.js';

interface Scalar {
  createApiReference(selector: string, configuration: Record<string, unknown>): unknown;
}

interface OpenApiDocument {
  paths: Operations & Record<string, Record<string, { parameters?: { required?: boolean; example?: unknown }[] }>>;
  components?: { securitySchemes?: Record<string, { type?: string; name?: string }> };
}

/** The scheme of /openapi.json that carries the key; another document may name it otherwise. */
function apiKeyScheme({ components }: OpenApiDocument): string | undefined {
  const schemes = Object.entries(components?.securitySchemes ?? {});
  return schemes.find(([, scheme]) => scheme.type === 'apiKey' && scheme.name?.toLowerCase() === 'x-api-key')?.[0];
}

/**
 * Scalar fills a request that is tried with the document's examples. Of parameters that may be left out they would ask for
 * less than there is (`name__icontains=support`), or take every try for the same one (`Idempotency-Key`).
 */
function withoutOptionalExamples(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.values(document.paths).flatMap(methods => Object.values(methods));
  for (const parameter of operations.flatMap(({ parameters }) => parameters ?? []))
    if (parameter.required !== true) delete parameter.example;
  return document;
}

/**
 * Scalar writes samples for fifty clients. Left are curl, the one that is at hand in JavaScript, and one or two for each
 * of the languages that are asked for most, so that a menu shows them all.
 */
const HIDDEN_LANGUAGES = ['c', 'clojure', 'dart', 'fsharp', 'http', 'julia', 'objc', 'ocaml', 'powershell', 'r'];
const HIDDEN_CLIENTS = [
  ...['asynchttp', 'axios', 'http1.1', 'httpie', 'httpx_async', 'httpx_sync', 'jquery', 'laravel', 'ofetch'],
  ...['aiohttp', 'restsharp', 'unirest', 'wget', 'xhr'],
];

const session = showBar('#bar');
const document = (await (await fetch('/openapi.json')).json()) as OpenApiDocument;
const scheme = apiKeyScheme(document);
const { Scalar } = globalThis as unknown as { Scalar: Scalar };
Scalar.createApiReference('#page', {
  content: withoutOptionalExamples(document),
  customFetch: fetchAsCaller(document.paths, session),
  ...(scheme !== undefined && {
    authentication: { preferredSecurityScheme: scheme, securitySchemes: { [scheme]: { value: storedApiKey() } } },
  }),
  // The key has one place, pages/identity/api-key.ts.
  persistAuth: false,
  // Everything that would speak to a host other than ours is off; the page's policy would refuse it anyway.
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

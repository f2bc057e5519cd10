import { storeApiKey, storedApiKey } from '../api-key.js';

interface Scalar {
  createApiReference(selector: string, configuration: Record<string, unknown>): unknown;
}

/** The scheme of /openapi.json that carries the key; another document may name it otherwise. */
const HEADER = 'X-Api-Key';

async function apiKeyScheme(): Promise<string | undefined> {
  const answer = await fetch('/openapi.json');
  const { components } = (await answer.json()) as { components?: { securitySchemes?: Record<string, unknown> } };
  const schemes = Object.entries(components?.securitySchemes ?? {}) as [string, { type?: string; name?: string }][];
  return schemes.find(
    ([, scheme]) => scheme.type === 'apiKey' && scheme.name?.toLowerCase() === HEADER.toLowerCase(),
  )?.[0];
}

/** A key that a request was tried with is kept for the next visit and for GraphiQL. */
async function fetchAndKeepKey(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const apiKey = request.headers.get(HEADER);
  if (apiKey !== null && apiKey !== '') storeApiKey(apiKey);
  return fetch(request);
}

const scheme = await apiKeyScheme();
const { Scalar } = globalThis as unknown as { Scalar: Scalar };
Scalar.createApiReference('#page', {
  url: '/openapi.json',
  customFetch: fetchAndKeepKey,
  ...(scheme !== undefined && {
    authentication: { preferredSecurityScheme: scheme, securitySchemes: { [scheme]: { value: storedApiKey() } } },
  }),
  // The key has one place, pages/api-key.ts.
  persistAuth: false,
  // Everything that would speak to a host other than ours is off; the page's policy would refuse it anyway.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
});

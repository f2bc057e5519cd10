import { readFileSync } from 'node:fs';

export interface OpenApiDocument {
  paths: Record<string, Record<string, { summary: string }>>;
}

/** The document that the service serves. */
export const openapi = JSON.parse(
  readFileSync(new URL('../../../rest-compat/generated/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

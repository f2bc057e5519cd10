import { OpenApiError } from '../../engine/openapi/open-api-error.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { OutboundError } from '../../platform/outbound/errors.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import type { OpenApiReader } from '../../providers/openapi/open-api-reader.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { ApiDefinitionImportInput } from './api-definition.inputs.js';
import { type ApiDefinitionService, assertBaseUrlOrConnection, toBaseUrl } from './api-definition.service.js';
import type { ApiDefinition } from './api-definition.type.js';

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const HEADERS = {
  accept: 'application/json, application/yaml;q=0.9, */*;q=0.1',
  'user-agent': 'Scenarium (import of OpenAPI documents)',
};

export interface ImporterParts {
  access: ProjectAccess;
  outbound: Outbound;
  reader: OpenApiReader;
  definitions: ApiDefinitionService;
}

/** Imports OpenAPI documents from a URL or as text. */
export class ApiDefinitionImporter {
  constructor(private readonly parts: ImporterParts) {}

  /**
   * Reads a document and stores its operations.
   *
   * @throws InvalidInputError if the input is wrong, or the document cannot be downloaded or read or has no operations
   */
  async import(viewer: Viewer, input: ApiDefinitionImportInput, signal: AbortSignal): Promise<ApiDefinition> {
    const { projectId } = input;
    const { access, definitions } = this.parts;
    await access.authorizeNamed(viewer, projectId, 'api-definition.import');
    const connectionId = input.connectionId ?? null;
    const [name, sourceUrl] = [input.name.trim(), input.url?.trim() || null];
    const faults = new Faults();
    faults.text('name', name, { min: 1, max: 255 });
    checkSource(sourceUrl, input.document, faults);
    const requestedBaseUrl = toBaseUrl(input.baseUrl ?? '', faults);
    await definitions.checkConnection(projectId, connectionId, faults);
    faults.throwIfAny();
    const member = sourceUrl === null ? 'document' : 'url';
    const description = await this.#read(input, sourceUrl, member, signal);
    if (description.operations.length === 0)
      throw new InvalidInputError({
        [member]: [
          `The document has no operation that can be called. ${description.skipped.slice(0, 3).join(' ')}`.trim(),
        ],
      });
    const baseUrl = requestedBaseUrl || serverUrl(description.server, sourceUrl);
    assertBaseUrlOrConnection(baseUrl, connectionId);
    return definitions.store(viewer, { projectId, name, sourceUrl, baseUrl, connectionId, description });
  }

  async #read(
    { projectId, document }: ApiDefinitionImportInput,
    url: string | null,
    member: string,
    signal: AbortSignal,
  ) {
    try {
      const text = url === null ? (document ?? '') : await this.#download(url, signal);
      return await this.parts.reader.read(projectId, text, signal);
    } catch (error) {
      if (error instanceof OpenApiError) throw new InvalidInputError({ [member]: [error.message] });
      throw error;
    }
  }

  async #download(url: string, signal: AbortSignal): Promise<string> {
    try {
      const limits = { maxResponseBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, followRedirects: true };
      const { outbound } = this.parts;
      const { status, body } = await outbound.request({ method: 'GET', url, headers: HEADERS, signal, ...limits });
      if (status < 200 || status > 299) throw new OpenApiError(`The server returned the HTTP status ${status}.`);
      return body.toString('utf8');
    } catch (error) {
      if (error instanceof OutboundError)
        throw new OpenApiError(`The document could not be downloaded: ${error.message}`);
      throw error;
    }
  }
}

function checkSource(url: string | null, document: string | null | undefined, faults: Faults): void {
  if (url !== null && document) faults.add('document', 'Send either url or document.');
  if (url === null && !document) for (const member of ['url', 'document']) faults.add(member, 'Send url or document.');
  // Only the characters are checked here: the size has a limit in bytes.
  if (document) faults.text('document', document, { max: Number.MAX_SAFE_INTEGER });
  if (document && Buffer.byteLength(document) > MAX_BYTES) faults.add('document', 'The document is larger than 4 MiB.');
  if (url === null) return;
  faults.text('url', url, { max: 2048 });
  if (!faults.areAny) faults.httpUrl('url', url);
}

/** The address of the server of a document, relative to the address of the document. Empty: it is unknown. */
function serverUrl(server: string | null, sourceUrl: string | null): string {
  const text = server ?? (sourceUrl === null ? '' : '/');
  const address = URL.canParse(text, sourceUrl ?? undefined) ? new URL(text, sourceUrl ?? undefined).href : '';
  // `URL` encodes braces. `toBaseUrl` must see them, because an address with placeholders cannot be used.
  return toBaseUrl(address.replaceAll('%7B', '{').replaceAll('%7D', '}'), new Faults());
}

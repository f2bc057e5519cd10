import { buffer } from 'node:stream/consumers';
import type { JsonObject } from '../../../engine/json-value.js';
import type { Database } from '../../../platform/database/database.js';
import { DomainError, NotFoundError } from '../../../platform/errors/errors.js';
import type { Page, PageArgs } from '../../../platform/lists/page.js';
import { isInteger } from '../../../platform/sql/max-integer.js';
import { DocumentOrder } from '../../documents/document.inputs.js';
import type { DocumentService } from '../../documents/document.service.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import { locateDocument } from '../../documents/locate-document.js';
import type { WorkflowRunService } from '../../workflow-runs/history/workflow-run.service.js';
import { invalidParams, RPC_CODES, RpcError } from './json-rpc.js';
import type { McpCaller } from './mcp-caller.js';

const DOCUMENT_URI = /^scenarium:\/\/documents\/(\d{1,10})$/;
const RUN_URI = /^scenarium:\/\/runs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const MAX_URI_CHARACTERS = 200;
/** Limits the memory of a response, which contains the whole file. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
/** Content types of files that are returned as text; others are returned in base64. */
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|javascript)\b)/;

/** The result of `resources/templates/list`. */
export const RESOURCE_TEMPLATES: readonly JsonObject[] = [
  {
    ...{ uriTemplate: 'scenarium://runs/{run_id}', name: 'run', title: 'Result of a run' },
    ...{ description: 'Status, output and error of a run of the project.', mimeType: 'application/json' },
  },
  {
    ...{ uriTemplate: 'scenarium://documents/{document_id}', name: 'document', title: 'Document' },
    description: `The file of a document of the project, at most ${MAX_DOCUMENT_BYTES} bytes.`,
  },
];

interface ResourceParts {
  database: Database;
  documents: DocumentService;
  files: DocumentFiles;
  runs: WorkflowRunService;
}

/** The documents of a project and the results of its runs. */
export class Resources {
  constructor(private readonly parts: ResourceParts) {}

  /** The documents, oldest first. Runs have a template only. */
  async list({ viewer, projectId }: McpCaller, page: PageArgs): Promise<Page<JsonObject>> {
    const documents = await this.parts.documents.list(viewer, { projectId }, DocumentOrder.CREATED_AT_ASC, page);
    const items = documents.items.map(({ id, filename, key, contentType, size, updatedAt }) => ({
      ...{ uri: `scenarium://documents/${id}`, name: filename, title: key || filename, mimeType: contentType, size },
      annotations: { lastModified: updatedAt.toISOString() },
    }));
    return { ...documents, items };
  }

  /** @throws RpcError for a resource that does not exist, belongs to another project or is not visible to the caller */
  async read(caller: McpCaller, { uri }: JsonObject): Promise<JsonObject> {
    if (typeof uri !== 'string') throw invalidParams('params.uri must be the URI of a resource.');
    const [, documentId] = DOCUMENT_URI.exec(uri) ?? [];
    const [, runId] = RUN_URI.exec(uri) ?? [];
    try {
      if (documentId !== undefined && isInteger(documentId))
        return { contents: [await this.#document(caller, uri, Number(documentId))] };
      if (runId !== undefined) return { contents: [await this.#run(caller, uri, runId)] };
    } catch (error) {
      if (!(error instanceof DomainError) || error.extensions.code !== 'NOT_FOUND') throw error;
    }
    const shown = uri.slice(0, MAX_URI_CHARACTERS);
    const known = RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate).join(', ');
    throw new RpcError(RPC_CODES.resourceNotFound, `No resource has the URI "${shown}". Known forms: ${known}.`);
  }

  async #document({ viewer, projectId }: McpCaller, uri: string, id: number): Promise<JsonObject> {
    const { database, files } = this.parts;
    const document = await locateDocument(database, viewer, id, 'project.read');
    if (document.projectId !== projectId) throw new NotFoundError();
    const { contentType: mimeType, size, resultFile } = document;
    if (size > MAX_DOCUMENT_BYTES)
      throw invalidParams(`The document has ${size} bytes, more than ${MAX_DOCUMENT_BYTES}: download it over the API.`);
    const content = await buffer(await files.open(resultFile));
    if (TEXT_TYPE.test(mimeType)) return { uri, mimeType, text: content.toString('utf8') };
    return { uri, mimeType, blob: content.toString('base64') };
  }

  async #run({ viewer, projectId }: McpCaller, uri: string, id: string): Promise<JsonObject> {
    const { runs } = this.parts;
    const run = await runs.get(viewer, id);
    if (run.projectId !== projectId) throw new NotFoundError();
    const { status, output, error } = (await runs.getResult(viewer, id)).data;
    return { uri, mimeType: 'application/json', text: JSON.stringify({ run_id: id, status, output, error }) };
  }
}

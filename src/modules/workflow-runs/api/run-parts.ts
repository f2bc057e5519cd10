import { isObject, type JsonObject, setOwn } from '../../../engine/json-value.js';
import {
  type InputField,
  isFileField,
  takesManyTexts,
  valueFromTexts,
} from '../../../engine/workflow/graph/input-fields.js';
import { timeOrderedUuid } from '../../../platform/crypto/uuid.js';
import type { Database } from '../../../platform/database/database.js';
import { DomainError, InvalidInputError } from '../../../platform/errors/errors.js';
import type { SpooledFile } from '../../../providers/storage/spooled-file.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { UploadedFile } from '../../documents/upload.scalar.js';
import type { RunFiles } from '../../files/run-files.js';
import { locateWorkflow } from '../../workflows/locate-workflow.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { loadRunnableRevision } from '../replay/run-revision.js';
import type { WorkflowRunInputPart } from './input-part.type.js';
import { type RunStart, startOnce } from './run-start.js';

interface Services {
  database: Database;
  revisions: RevisionStore;
  runs: Pick<WorkflowRunService, 'start'>;
  idempotentStarts: IdempotentStarts;
  files: Pick<RunFiles, 'spool' | 'receiveSpooled' | 'keep' | 'discard'>;
}

/** The input of a run without its files, and the received files by field id. */
interface ReceivedInput {
  projectId: number;
  values: JsonObject;
  files: ReadonlyMap<string, SpooledFile>;
}

type StartRequest = Parameters<WorkflowRunService['start']>[2];

/** Starts runs whose input arrives as the parts of a form, with files. */
export class RunParts {
  constructor(private readonly services: Services) {}

  /**
   * Starts a run, at most one for each idempotency key. Its files are stored when the request is valid, and deleted when the run is
   * refused.
   * @throws InvalidInputError for a part that its field does not take
   */
  async start(
    context: RequestContext,
    key: string | null | undefined,
    start: RunStart,
    parts: readonly WorkflowRunInputPart[],
  ): Promise<WorkflowRunReceipt> {
    const { database, revisions, idempotentStarts } = this.services;
    const workflow = await locateWorkflow(database, context.viewer, start.workflowId, 'workflow.run');
    const { fields } = await loadRunnableRevision(revisions, workflow, start.revisionNumber);
    const { values, uploads } = readParts(fields, start, parts);
    const files = await this.#spool(uploads);
    try {
      const received = { projectId: workflow.projectId, values, files };
      const fingerprints = [...files].map(([fieldId, { fingerprint }]) => [fieldId, fingerprint]);
      return await startOnce(
        { runs: { start: (viewer, id, request) => this.#start(viewer, id, request, received) }, idempotentStarts },
        context,
        key,
        { ...start, input: values, files: fingerprints },
      );
    } finally {
      await Promise.all([...files.values()].map(file => file.discard()));
    }
  }

  async #spool(uploads: ReadonlyMap<string, UploadedFile>): Promise<Map<string, SpooledFile>> {
    const received = await Promise.allSettled(
      [...uploads].map(async ([fieldId, upload]) => [fieldId, await this.services.files.spool(upload)] as const),
    );
    const files = new Map(received.flatMap(each => (each.status === 'fulfilled' ? [each.value] : [])));
    const failed = received.find(({ status }) => status === 'rejected');
    if (!failed) return files;
    await Promise.all([...files.values()].map(file => file.discard()));
    throw (failed as PromiseRejectedResult).reason;
  }

  async #start(
    viewer: Viewer,
    workflowId: number,
    request: StartRequest,
    { projectId, values, files }: ReceivedInput,
  ): Promise<WorkflowRunReceipt> {
    const { runs, files: runFiles } = this.services;
    const runId = request.reservedId ?? timeOrderedUuid();
    const fileIds: string[] = [];
    const input = { ...values };
    try {
      for (const [fieldId, file] of files) {
        const reference = await runFiles.receiveSpooled(projectId, file, `run ${runId} ${fieldId}`);
        fileIds.push(reference.file_id);
        setOwn(input, fieldId, reference);
      }
      const receipt = await runs.start(viewer, workflowId, { ...request, input, reservedId: runId });
      if (receipt.status !== 201) await runFiles.discard(projectId, fileIds);
      // An accepted run keeps its files when it is inserted; the input of a draft is read only when it is released.
      else if (request.draft) await runFiles.keep(projectId, fileIds, runId);
      return receipt;
    } catch (error) {
      // After other errors the run may exist. Files that it does not use are deleted like unused uploads.
      if (error instanceof DomainError) await runFiles.discard(projectId, fileIds);
      throw error;
    }
  }
}

/** Returns the values of `input` and of the texts, and the uploads by field id. */
function readParts(
  fields: readonly InputField[],
  { input, inputText }: Pick<RunStart, 'input' | 'inputText'>,
  parts: readonly WorkflowRunInputPart[],
): { values: JsonObject; uploads: Map<string, UploadedFile> } {
  if (inputText != null) throw new InvalidInputError({ parts: ['Send either `inputText` or `parts`.'] });
  const given = input ?? {};
  if (!isObject(given)) throw new InvalidInputError({ input: ['With `parts`, the input must be a JSON object.'] });
  const byId = new Map(fields.map(field => [field.id, field]));
  const values: JsonObject = { ...given };
  const uploads = new Map<string, UploadedFile>();
  const faults: string[] = [];
  for (const [fieldId, sent] of Map.groupBy(parts, part => part.fieldId)) {
    const field = byId.get(fieldId);
    const fault = partsFault(fields, field, sent);
    const [{ file, text }] = sent as [WorkflowRunInputPart];
    if (fault !== undefined) faults.push(`${JSON.stringify(fieldId)}: ${fault}`);
    else if (file != null) uploads.set(fieldId, file);
    else
      setOwn(
        values,
        fieldId,
        field
          ? valueFromTexts(
              field,
              sent.map(part => part.text!),
            )
          : text,
      );
  }
  if (faults.length > 0) throw new InvalidInputError({ parts: faults });
  return { values, uploads };
}

/** Returns why the field, undefined for an unknown one, does not take its parts; undefined: it takes them. */
function partsFault(
  fields: readonly InputField[],
  field: InputField | undefined,
  parts: readonly WorkflowRunInputPart[],
): string | undefined {
  if (parts.some(({ text, file }) => (text == null) === (file == null))) return 'send either a text or a file.';
  const hasFile = parts.some(({ file }) => file != null);
  if (hasFile && !field) return `the workflow has no field with this id. ${fileFieldsOf(fields)}`;
  if (hasFile && field && !isFileField(field))
    return `a field of the type ${field.type} takes no file. ${fileFieldsOf(fields)}`;
  const takesMany = !hasFile && field !== undefined && takesManyTexts(field);
  return parts.length > 1 && !takesMany ? 'send only one part with this name.' : undefined;
}

function fileFieldsOf(fields: readonly InputField[]): string {
  const ids = fields.filter(isFileField).map(({ id }) => id);
  return ids.length === 0 ? 'It has no field of the type file.' : `Fields of the type file: ${ids.join(', ')}.`;
}

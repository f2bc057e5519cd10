import type { FileStore } from '../../../files/port.js';
import type { FileReference } from '../../../files/reference.js';
import { type CallContext, type LanguageModel, type ModelRequest, PortError, type Usage } from '../../../ports.js';

/** A file that a model has created, with its usage. */
export interface CreatedFile {
  reference: FileReference;
  usage: Usage;
}

/**
 * Calls a model that creates a file and stores the file. Throws a PortError, which has the usage of the call if only the file
 * cannot be stored.
 */
export async function createFile(
  request: ModelRequest,
  name: string,
  ports: { llm: LanguageModel; files: FileStore },
  call: CallContext,
): Promise<CreatedFile> {
  const { bytes, usage } = await ports.llm.complete(request, call);
  if (!bytes) throw new PortError('bad_upstream_answer', 'The model provider responded without a file.', { usage });
  try {
    return { reference: await ports.files.write({ name, bytes }, call.idempotencyKey), usage };
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    throw new PortError(error.code, error.message, { usage, isFinal: error.isFinal });
  }
}

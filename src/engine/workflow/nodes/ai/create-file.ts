import type { FileStore, PaidFile } from '../../../files/port.js';
import { type CallContext, type LanguageModel, type ModelRequest, PortError } from '../../../ports.js';

/**
 * Calls a model that creates a file and stores the file. If an earlier attempt stored its file but ended before its result was
 * recorded, returns that file and calls no model. Throws a PortError, which has the usage of the call if only the file cannot
 * be stored.
 */
export async function createFile(
  request: ModelRequest,
  name: string,
  ports: { llm: LanguageModel; files: FileStore },
  call: CallContext,
): Promise<PaidFile> {
  const stored = await ports.files.findPaid(call.idempotencyKey);
  if (stored) return stored;
  const { bytes, usage } = await ports.llm.complete(request, call);
  if (!bytes) throw new PortError('bad_upstream_answer', 'The model provider responded without a file.', { usage });
  try {
    return { reference: await ports.files.writePaid({ name, bytes }, usage, call.idempotencyKey), usage };
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    throw new PortError(error.code, error.message, { usage, isFinal: error.isFinal });
  }
}

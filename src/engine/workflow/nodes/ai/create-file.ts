import type { FileStore, PaidFile } from '../../../files/port.js';
import { type CallContext, type LanguageModel, type ModelRequest, PortError } from '../../../ports.js';
import type { Execution, Outcome } from '../../graph/node-kind.js';
import { callWithFallbacks } from './model-calls.js';

interface FileSettings {
  name: string;
  fallbackModels: readonly string[] | null | undefined;
}

/** Creates a file with the model, or after a failure of its provider with a fallback model. The content is its reference. */
export async function fileOutcome(
  request: ModelRequest,
  { name, fallbackModels }: FileSettings,
  { ports, call, steps }: Pick<Execution<unknown>, 'ports' | 'call' | 'steps'>,
): Promise<Outcome> {
  const { answer, ...paid } = await callWithFallbacks(
    request,
    fallbackModels,
    async (each, context) => {
      const { reference, usage } = await createFile(each, name, ports, context);
      return { answer: { reference }, usage };
    },
    { call, steps },
  );
  return { content: JSON.stringify(answer.reference), ...paid };
}

/**
 * Calls a model that creates a file and stores the file. If an earlier attempt stored its file but ended before its result was
 * recorded, returns that file and calls no model. Throws a PortError, which has the usage of the call if only the file cannot
 * be stored.
 */
async function createFile(
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

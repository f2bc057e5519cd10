import type { JsonObject } from '../json-value.js';
import { type CallContext, type LanguageModel, type ModelRequest, PortError, type Usage } from '../ports.js';
import type { FileStore } from './port.js';
import type { FileReference } from './reference.js';

/** Speech that a model reads. */
export interface SpeechRecording {
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/**
 * A request to create an image or speech from the texts of the messages, or to write down speech. `options` are members of
 * the request with the names of OpenAI's API.
 */
export type MediaRequest =
  | { kind: 'image'; options: JsonObject }
  | { kind: 'speech'; options: JsonObject }
  | { kind: 'transcription'; options: JsonObject; recording: SpeechRecording };

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

import { type ChatMessage, type LanguageModel, PortError } from '../ports.js';
import type { FileStore } from './port.js';
import { MAX_READ_BYTES } from './reference.js';

const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';

/** Returns a model port that loads the files of messages directly before each call, so that no journal contains them. */
export function withModelFiles(llm: LanguageModel, files: FileStore): LanguageModel {
  return {
    complete: async (request, call) => {
      if (!request.messages.some(({ fileIds }) => fileIds?.length)) return llm.complete(request, call);
      const messages: ChatMessage[] = [];
      for (const message of request.messages) messages.push(await withLoadedFiles(message, files));
      return llm.complete({ ...request, messages }, call);
    },
  };
}

async function withLoadedFiles({ fileIds = [], ...message }: ChatMessage, files: FileStore): Promise<ChatMessage> {
  const images = [...(message.images ?? [])];
  const documents: { name: string; url: string }[] = [];
  let total = 0;
  for (const id of fileIds) {
    const { reference, bytes } = await files.read(id, MAX_READ_BYTES);
    const { name, content_type: type } = reference;
    total += bytes.length;
    if (total > MAX_READ_BYTES)
      throw new PortError('file_too_large', `the files of a message have more than ${MAX_READ_BYTES} bytes`, {
        isFinal: true,
      });
    const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
    if (IMAGE_TYPES.has(type)) images.push(url);
    else if (type === PDF) documents.push({ name, url });
    else
      throw new PortError(
        'unsupported_file',
        `${name} has the type ${type}: models take PNG, JPEG, GIF and WebP images and PDF documents`,
        { isFinal: true },
      );
  }
  return { ...message, ...(images.length > 0 ? { images } : {}), ...(documents.length > 0 ? { documents } : {}) };
}

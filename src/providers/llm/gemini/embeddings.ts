import { isObject } from '../../../engine/json-value.js';
import { UnsupportedChatError } from '../chat/chat-error.js';
import { isCount } from '../chat/chat-format.js';
import type { EndpointFormat } from '../chat/provider-protocol.js';
import { embeddingList, inputTexts } from '../endpoints/embeddings.js';
import { estimateTokens } from '../estimate-tokens.js';
import { geminiTranslation } from './translation.js';

/** Gemini's `batchEmbedContents`. If it reports no usage, the tokens of the texts are estimated. */
export const geminiEmbeddings: EndpointFormat = {
  buildRequest(model, { value }) {
    const { input, dimensions } = value;
    const isText = (text: unknown) => typeof text === 'string';
    if (!isText(input) && !(Array.isArray(input) && input.every(isText)))
      throw new UnsupportedChatError(
        'input',
        'input must be a text or a list of texts: this provider takes no token ids.',
      );
    const requests = inputTexts(value).map(text => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      outputDimensionality: dimensions ?? undefined,
    }));
    return { path: `/models/${encodeURIComponent(model)}:batchEmbedContents`, body: JSON.stringify({ requests }) };
  },
  translation: {
    answer(body, request) {
      const { embeddings, usageMetadata } = isObject(body) ? body : {};
      const vectors = (Array.isArray(embeddings) ? embeddings : []).map((embedding: unknown) =>
        isObject(embedding) && Array.isArray(embedding.values) ? embedding.values.map(Number) : [],
      );
      const reported = isObject(usageMetadata) ? usageMetadata.promptTokenCount : undefined;
      const estimated = inputTexts(request).reduce((sum, text) => sum + estimateTokens(text), 0);
      return embeddingList(vectors, request, isCount(reported) ? reported : estimated);
    },
    error: geminiTranslation.error,
  },
};

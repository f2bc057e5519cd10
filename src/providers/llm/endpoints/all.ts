import { embeddings } from './embeddings.js';
import { messages } from './messages/index.js';
import type { EndpointName, ModelEndpoint } from './model-endpoint.js';
import { responses } from './responses/index.js';

/** All model APIs other than chat completions, by name. */
export const MODEL_ENDPOINTS: Readonly<Record<EndpointName, ModelEndpoint>> = { embeddings, messages, responses };

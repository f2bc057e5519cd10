import type { BodyKind } from '../route.js';
import type { ReadBody } from './body-request.js';
import { readGraph } from './graph.js';
import { readJsonBody } from './json.js';
import { readMultipart } from './multipart.js';
import { readNoBody } from './none.js';
import { readRunInput } from './run-input.js';
import { readVerbatim } from './verbatim.js';

/** The reader of each kind of request body. */
export const bodyKinds: Record<BodyKind, ReadBody> = {
  JSON: readJsonBody,
  NONE: readNoBody,
  RUN_INPUT: readRunInput,
  GRAPH: readGraph,
  MULTIPART: readMultipart,
  VERBATIM: readVerbatim,
};

import type { NodeKind } from '../graph/node-kind.js';
import { agent } from './ai/agent.js';
import { basic } from './ai/basic.js';
import { classifier } from './ai/classifier.js';
import { embedding } from './ai/embedding.js';
import { extractor } from './ai/extractor.js';
import { image } from './ai/image.js';
import { speech } from './ai/speech.js';
import { transcription } from './ai/transcription.js';
import { code } from './data/code.js';
import { csv } from './data/csv.js';
import { database } from './data/database.js';
import { email } from './data/email.js';
import { file } from './data/file.js';
import { graphql } from './data/graphql.js';
import { htmlExtract } from './data/html-extract.js';
import { http } from './data/http.js';
import { keyValue } from './data/key-value.js';
import { list } from './data/list.js';
import { mcp } from './data/mcp.js';
import { rss } from './data/rss.js';
import { search } from './data/search.js';
import { sendEvent } from './data/send-event.js';
import { template } from './data/template.js';
import { approval } from './flow/approval.js';
import { delay } from './flow/delay.js';
import { ifElse } from './flow/if-else.js';
import { loop } from './flow/loop.js';
import { merge } from './flow/merge.js';
import { note } from './flow/note.js';
import { output } from './flow/output.js';
import { respond } from './flow/respond.js';
import { scenario } from './flow/scenario.js';
import { set } from './flow/set.js';
import { subworkflow } from './flow/subworkflow.js';
import { switchNode } from './flow/switch.js';
import { trigger } from './flow/trigger.js';
import { wait } from './flow/wait.js';

/** All node kinds, in the order in which front ends list them. */
export const nodeKinds: readonly NodeKind[] = [
  trigger,
  basic,
  extractor,
  classifier,
  embedding,
  image,
  speech,
  transcription,
  agent,
  http,
  graphql,
  rss,
  database,
  email,
  mcp,
  code,
  search,
  file,
  keyValue,
  csv,
  htmlExtract,
  ifElse,
  switchNode,
  loop,
  merge,
  subworkflow,
  scenario,
  delay,
  approval,
  wait,
  sendEvent,
  template,
  respond,
  set,
  list,
  output,
  note,
];

const byType = new Map(nodeKinds.map(kind => [kind.type, kind]));

/** Returns the node kind of a front end type such as `http-node`. */
export function nodeKindOf(type: string): NodeKind | undefined {
  return byType.get(type);
}

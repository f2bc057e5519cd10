import type { NodeKind } from '../graph/node-kind.js';
import { agent } from './agent.js';
import { basic } from './basic.js';
import { code } from './code.js';
import { delay } from './delay.js';
import { http } from './http.js';
import { ifElse } from './if-else.js';
import { loop } from './loop.js';
import { mcp } from './mcp.js';
import { output } from './output.js';
import { scenario } from './scenario.js';
import { search } from './search.js';
import { subworkflow } from './subworkflow.js';
import { switchNode } from './switch.js';
import { template } from './template.js';
import { trigger } from './trigger.js';

/** All node kinds, in the order in which front ends list them. */
export const nodeKinds: readonly NodeKind[] = [
  trigger,
  basic,
  agent,
  http,
  mcp,
  code,
  search,
  ifElse,
  switchNode,
  loop,
  subworkflow,
  scenario,
  delay,
  template,
  output,
];

const byType = new Map(nodeKinds.map(kind => [kind.type, kind]));

/** Returns the node kind of a front end type such as `http-node`. */
export function nodeKindOf(type: string): NodeKind | undefined {
  return byType.get(type);
}

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

/** What was compiled: its maps lie beside it. A library's frames stay as they are. */
const COMPILED = new URL('../../..', import.meta.url).href;
const FRAME = /^\s+at .*?(file:\S+\.js):(\d+):(\d+)\)?$/;
/** A message may hold anything, as long as it likes: a frame is short. */
const MAX_FRAME = 1_000;
const MAX_CAUSES = 8;

/** False: there is none, or it cannot be read. */
const maps = new LRUCache<string, SourceMap | false>({ max: 8 });

/**
 * A stack with its frames by the lines of the sources, as `--enable-source-maps` would make it: that reads the whole map at
 * start, 170 ms and 100 MB. Here the first error that is told waits 30 ms for ours.
 */
export function bySourceLines(stack: string): string {
  return stack.includes(COMPILED) ? stack.split('\n').map(bySourceLine).join('\n') : stack;
}

/** The same error, and what caused it, with such stacks: for whoever prints it. */
export function withSourceLines(error: unknown): unknown {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each instanceof Error && typeof each.stack === 'string'; depth++) {
    // Not by assignment: that of a stack that is fixed would throw.
    Reflect.set(each, 'stack', bySourceLines(each.stack));
    each = each.cause;
  }
  return error;
}

function bySourceLine(frame: string): string {
  if (frame.length > MAX_FRAME) return frame;
  const [, file, line, column] = FRAME.exec(frame) ?? [];
  if (file === undefined || !file.startsWith(COMPILED)) return frame;
  try {
    const origin = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!origin || !('originalSource' in origin) || !origin.originalSource) return frame;
    const source = fileURLToPath(new URL(origin.originalSource, file));
    return frame.replace(`${file}:${line}:${column}`, () => `${source}:${origin.originalLine + 1}`);
  } catch {
    return frame;
  }
}

function mapOf(file: string): SourceMap | undefined {
  let map = maps.get(file);
  if (map === undefined) {
    map = readMap(new URL(`${file}.map`));
    maps.set(file, map);
  }
  return map || undefined;
}

function readMap(file: URL): SourceMap | false {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return false;
  }
}

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

/** The compiled files with their source maps. Stack frames of libraries are not changed. */
const COMPILED = new URL('../../..', import.meta.url).href;
const FRAME = /^\s+at .*?(file:\S+\.js):(\d+):(\d+)\)?$/;
/** Limit for the length of a frame in characters, because a message can be long and look like a frame. */
const MAX_FRAME = 1_000;
const MAX_CAUSES = 8;

/** False: the file has no map, or the map cannot be read. */
const maps = new LRUCache<string, SourceMap | false>({ max: 8 });

/**
 * Maps the frames of a stack to source lines, like `--enable-source-maps`. That option reads the whole map at startup
 * (170 ms, 100 MB). Here only the first logged error waits 30 ms for the map.
 */
export function bySourceLines(stack: string): string {
  return stack.includes(COMPILED) ? stack.split('\n').map(bySourceLine).join('\n') : stack;
}

/** Maps the stacks of an error and its causes to source lines. Returns the same error. */
export function withSourceLines(error: unknown): unknown {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each instanceof Error && typeof each.stack === 'string'; depth++) {
    // An assignment would throw for a read-only stack.
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

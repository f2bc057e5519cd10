import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogFormat } from '../config/config.js';
import { memoize } from '../memory/memoize.js';
import { currentContext, type WorkContext } from '../tracing/work-context.js';
import { LogLines } from './log-lines.js';
import { bySourceLines } from './source-lines.js';

export type Log = Logger;

/** Member names that may hold credentials. */
const SECRET =
  /^(headers|authorization|cookies?|x-api-key|api[-_]?key|key|passwords?|secrets?|tokens?|(access|refresh|service|id)[-_]?token|(jwt|client)[-_]?secret|encryption[-_]?key|credentials|connection(string|params)|database[-_]?url)$/i;
const isSecret = memoize(name => SECRET.test(name));
/** Equals MASK of the engine, which this layer cannot import. */
const MASK = '********';
/** Deeper values are replaced by their kind, so that they need no mask. */
const MAX_DEPTH = 5;

/**
 * Creates a log of JSON lines, by default on standard output. Each line names its request and run. Members that may
 * hold credentials are masked.
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Log {
  const options = {
    level,
    base: undefined,
    timestamp: isoTime,
    mixin: contextFields,
    mixinMergeStrategy: withContextFields,
    // Pino's own `redact` is 20 times slower for nested members.
    formatters: { log: (members: Record<string, unknown>) => maskSecrets(members) },
    serializers: {
      err: (error: Error) => maskSecrets(serializeError(error)),
    },
  };
  return pino(options, destination);
}

let formattedAt = 0;
let time = '';

/** Like pino's own function, but computed once per millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now === formattedAt) return time;
  formattedAt = now;
  time = `,"time":"${new Date(now).toISOString()}"`;
  return time;
}

function serializeError(error: Error): Record<string, unknown> {
  const members = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  if (typeof members.stack === 'string') members.stack = bySourceLines(members.stack);
  const mask = currentContext()?.run?.mask;
  return mask ? maskTexts(members, mask) : members;
}

/** Masks the secrets of the active run in the texts of an error and of the errors that it contains. */
function maskTexts(members: Record<string, unknown>, mask: (text: string) => string): Record<string, unknown> {
  const maskValue = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return mask(value);
    if (!isPlainValue(value) || depth === MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map(item => maskValue(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskValue(member, depth + 1)]));
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, maskValue(value, 1)]));
}

let lines: LogLines | undefined;

/** Returns the only instance of the process, so that the lines of several logs stay in order. */
function standardOutput(): LogLines {
  lines ??= new LogLines();
  return lines;
}

/**
 * Sets the format of standard output for logs that are created later. The default is `pretty` if standard output is a
 * terminal, otherwise `json`. The library for pretty lines is loaded only when it is used.
 */
export async function setLogFormat(format: LogFormat = process.stdout.isTTY ? 'pretty' : 'json'): Promise<void> {
  if (format === 'json') return;
  const { prettyFactory } = await import('pino-pretty');
  lines = new LogLines(
    prettyFactory({ colorize: process.stdout.hasColors?.() ?? false, translateTime: 'SYS:HH:MM:ss.l' }),
  );
}

const NO_CONTEXT: WorkContext = Object.freeze({});

function contextFields(): object {
  const { requestId, runId } = currentContext() ?? NO_CONTEXT;
  if (requestId === undefined && runId === undefined) return NO_CONTEXT;
  return { ...(requestId === undefined ? {} : { requestId }), ...(runId === undefined ? {} : { runId }) };
}

/** Members of the line itself take precedence. */
function withContextFields(members: object, fields: object): object {
  return fields === NO_CONTEXT ? members : Object.assign(fields, members);
}

/** Returns the same object if nothing has to be masked. */
function maskSecrets<T extends object>(members: T, depth = 1): T {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const member = (members as Record<string, unknown>)[name];
    const visible = isSecret(name) ? MASK : isPlainValue(member) ? maskWithin(member, depth + 1) : member;
    if (visible === member) continue;
    copy ??= (Array.isArray(members) ? [...members] : { ...members }) as Record<string, unknown>;
    copy[name] = visible;
  }
  return (copy as T | undefined) ?? members;
}

function maskWithin(value: object, depth: number): unknown {
  if (depth <= MAX_DEPTH) return maskSecrets(value, depth);
  return Array.isArray(value) ? '[Array]' : '[Object]';
}

const SERIALIZED_ERROR: unknown = Object.getPrototypeOf(pino.stdSerializers.err(new Error()));

/**
 * Whether the members of a value are masked. Errors are serialized first, and other classes have their own
 * serialization.
 */
function isPlainValue(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || prototype === SERIALIZED_ERROR || Array.isArray(value);
}

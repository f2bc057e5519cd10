import { type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines on standard output. Members that may hold credentials are cut wherever they are logged. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', 'req.headers', '*.authorization', '*.apiKey', '*.password', '*.secret', 'connectionString'],
      censor: '********',
    },
  });
}

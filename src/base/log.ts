import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines, on standard output by default. Members that may hold credentials are cut wherever they are logged. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', 'req.headers', '*.authorization', '*.apiKey', '*.password', '*.secret', 'connectionString'],
      censor: '********',
    },
  };
  return pino(options, destination);
}

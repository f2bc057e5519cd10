import type { Server } from 'node:http';
import { listenStartError, startStep } from '../platform/config/start-error.js';

/** Starts listening. Throws a StartError that names HOST or `portVariable` if that fails. */
export function listenOn(
  server: Server,
  options: { port: number; host: string; backlog?: number },
  portVariable: 'PORT' | 'METRICS_PORT',
): Promise<void> {
  return startStep(
    error => listenStartError(error, options.host, options.port, portVariable),
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(options, resolve);
      }),
  );
}

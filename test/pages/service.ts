import { startTestService, type TestService } from '../support/service.js';

export interface RunningService {
  url: string;
  apiKey: string;
  stop: () => Promise<void>;
  tested: TestService;
}

/** The whole product, for a browser to open. */
export async function startService(): Promise<RunningService> {
  const service = await startTestService();
  return { url: service.url, apiKey: service.key, stop: () => service.stop(), tested: service };
}

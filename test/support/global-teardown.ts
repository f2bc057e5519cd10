import { rm } from 'node:fs/promises';

export default async function globalTeardown(): Promise<void> {
  await (globalThis as unknown as { __stopPostgres: () => Promise<void> }).__stopPostgres();
  await rm(process.env.TEST_DATA_DIR as string, { recursive: true, force: true });
}

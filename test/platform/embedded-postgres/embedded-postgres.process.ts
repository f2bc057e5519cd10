import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.js';

/** A separate process for the tests that kill one: starts, prints its URL, and stops when its input ends. */
const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', durable: false });
process.stdout.write(`${JSON.stringify({ url: postgres.url, adopted: postgres.adopted })}\n`);
process.stdin.resume().once('end', () => void postgres.stop());

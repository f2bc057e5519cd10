import 'reflect-metadata';
import { runCli } from './cli/run-cli.js';

// Administration from the command line: `npm run cli -- <verb>`.

// A reader such as `head` may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// The exit code is set, not forced: what was printed into a pipe is written to its end.
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: text => console.log(text),
  printError: text => console.error(text),
});

import 'reflect-metadata';
import { runCli } from './cli/run-cli.js';

// Administration from the command line: `npm run cli -- <command>`.

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

// Sets the exit code without exiting, so that output into a pipe is written completely.
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  print: text => console.log(text),
  printError: text => console.error(text),
});

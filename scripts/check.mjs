import { check } from './run.mjs';

process.exitCode = (await check()) ? 0 : 1;

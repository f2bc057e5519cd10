import { createRequire } from 'node:module';

/**
 * A process: a Restate service. The first argument is the folder of the packages, the second is the address that its steps
 * call, the third is its port.
 */
const [, , folder, calledUrl, port] = process.argv as string[];
const restate = createRequire(`${folder}/package.json`)('@restatedev/restate-sdk');

interface Context {
  run(name: string, work: () => Promise<string>): Promise<string>;
}

const call = (context: Context, name: string) => context.run(name, async () => (await fetch(calledUrl!)).text());

const flow = restate.service({
  name: 'flow',
  handlers: {
    none: async () => 'done',
    one: (context: Context) => call(context, 'call'),
    sequence: async (context: Context) => {
      for (let index = 0; index < 5; index++) await call(context, `call ${index}`);
      return 'done';
    },
    parallel: async (context: Context) => {
      const calls = Array.from({ length: 10 }, (_, index) => call(context, `call ${index}`));
      return (await restate.RestatePromise.all(calls)).length;
    },
  },
});
await restate.serve({ services: [flow], port: Number(port) });
console.log(`listens on http://127.0.0.1:${port}`);

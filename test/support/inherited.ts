/** The environment variables that a child process of a test inherits: never a setting of the service. */
export const INHERITED: Record<string, string> = Object.fromEntries(
  ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

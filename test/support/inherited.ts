/** What a child process of a test gets of the environment: never a setting of the product. */
export const INHERITED: Record<string, string> = Object.fromEntries(
  ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

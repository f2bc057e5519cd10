/** The driver exports the file, but its types do not describe it. */
declare module 'pg/lib/utils.js' {
  /** Returns a parameter as the driver sends it. Throws a TypeError for an object that cannot become JSON. */
  export function prepareValue(value: unknown): string | Buffer | null;
}

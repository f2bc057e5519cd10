/** scripts/build-pages.mjs resolves `worker:`. It bundles the module as a separate entry; the value is its address. */
declare module 'worker:*' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: a virtual module has nothing else to export.
  export default url;
}
declare module '*.css';

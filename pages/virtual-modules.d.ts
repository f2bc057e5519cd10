/** `worker:` is resolved by scripts/build-pages.mjs: the module is bundled as an entry of its own, its address is the value. */
declare module 'worker:*' {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: a virtual module has nothing else to export.
  export default url;
}
declare module '*.css';

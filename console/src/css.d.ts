declare module '*.css';
declare module '*.md?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports the text of a file so.
  export default text;
}

/** Lists of stopwords by the language's ISO 639-3 code, and functions that nobody here calls. */
declare module 'stopword' {
  export const eng: string[];
}

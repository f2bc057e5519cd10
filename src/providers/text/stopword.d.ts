/** Lists of stopwords by ISO 639-3 language code. The functions of the package are not used. */
declare module 'stopword' {
  export const eng: string[];
}

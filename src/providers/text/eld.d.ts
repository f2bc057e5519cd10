/** The detector with the smallest data. The package has types only for the one that loads its data later. */
declare module 'eld/extrasmall' {
  export const eld: {
    detect(text: string): { language: string; isReliable(): boolean };
    enableTextCleanup(flag: boolean): void;
    info(): { Languages: Record<number, string> };
  };
}

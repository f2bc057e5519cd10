import { type LanguagePort, MAX_EXAMINED } from '../../engine/scenario/languages.js';

/** Recognises languages by the sequences of letters at the beginning of a text. */
export const languages: LanguagePort = {
  async loadDetector() {
    // Loaded at the first use, because few scenarios need it and its data takes 33 MB.
    const { eld } = await import('eld/extrasmall');
    // Addresses and numbers belong to no language.
    eld.enableTextCleanup(true);
    return text => {
      const result = eld.detect(text.trimStart().slice(0, MAX_EXAMINED));
      return result.isReliable() ? result.language : '';
    };
  },
};

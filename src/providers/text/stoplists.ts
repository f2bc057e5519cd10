import * as stopword from 'stopword';
import { foldStopwords } from '../../engine/text/stopwords.js';

/** Additions to the English list: the remaining words of the Snowball list and further function words. */
const MORE_ENGLISH =
  `its itself not no nor once again own same so then too s t don just only further until against during each few most more
  other some such any both all one two three first second last next another many much several anything something nothing
  everything every everyone someone anyone nobody here there where when why how whose whom which what who above below up
  down off over under out into through between before after while because as also often always never ever still yet even
  rather quite perhaps however therefore thus hence within without upon per via etc am is are was were be been being do
  does did doing done have has had having can could may might must shall should will would get gets got getting make makes
  made making take takes took taken use uses used using go goes going went come comes came let lets say says said see
  it's that's don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't i'm i've
  you're you've we're we've they're they've he's she's there's what's let's`.split(/\s+/);

/** Lists of the package that are not languages. */
const NOT_LANGUAGES = new Set(['_123', 'lggNd', 'panGu']);

let lists: ReadonlySet<string>[] | undefined;

/** Returns the stopwords of each language that has a list. Loaded on first use. */
export function stoplists(): readonly ReadonlySet<string>[] {
  lists ??= Object.entries(stopword as Record<string, unknown>)
    .filter((entry): entry is [string, string[]] => Array.isArray(entry[1]) && !NOT_LANGUAGES.has(entry[0]))
    .map(([language, words]) => foldStopwords(language === 'eng' ? [...words, ...MORE_ENGLISH] : words));
  return lists;
}

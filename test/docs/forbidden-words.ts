/** Words and phrases that prose does not use, with what it says instead. Code and URLs are exempt. */
const FORBIDDEN: readonly [phrase: RegExp, instead: string][] = [
  [/\b(nobody|nobody's)\b/, 'no user, no process, none'],
  [/\b(whoever|whomever|whosoever)\b/, 'the user who, the caller that'],
  [/\b(somebody|someone|anybody|anyone|everybody|everyone)\b/, 'a user, a caller, every user'],
  [/\b(told|tell|tells)\b/, 'reports, returns, shows, notifies'],
  [/\b(heed|heeds|heeded)\b/, 'used, respected'],
  [/\balone\b/, 'only'],
  [/\b(hear|hears|heard)\b/, 'is notified, receives'],
  [/\b(hungry|hunger)\b/, 'due'],
  [/\b(deed|deeds)\b/, 'action'],
  [/\b(mend|mends|mended)\b/, 'fix, correct'],
  [/\bfor ever\b/, 'forever, without limit'],
  [/\bby and large\b/, 'about, approximately'],
  [/\b(go|goes|went) on\b/, 'continues'],
  [/\b(beside|besides)\b/, 'next to, compared with, in addition to'],
  [/\bby itself\b/, 'automatically, separately'],
  [/\b(bear|bears|borne)\b/, 'has, contains'],
  [/\b(lies|lie|lay) (in|at|under|beside|there)\b/, 'is in'],
  [/\bstands? (in|beside|there|where|ready|apart)\b/, 'is in'],
  [/\b(house|housekeeping|floors?(?!\()|doors?|bells?|attic)\b/, 'the plain technical term'],
  [/\b(three|two) walks\b/, 'request flows'],
  [/\b(what|which) (never was|is somebody)/, 'resources that do not exist'],
  [/\bno matter\b/, 'regardless of'],
  [/\bthe like\b/, 'similar'],
  [/\bone's own\b/, 'your own, the own'],
  [/\b(taken|takes?) along\b/, 'includes'],
  [/\bthe outside\b/, 'external services'],
  [/\b(neighbours?|strangers?)\b/, 'other callers'],
  [/\bmust bear\b/, 'must have'],
  [/\b(swallow|swallows|swallowed)\b/, 'drops, ignores'],
  [/\bdoomed\b/, 'failing, that will fail'],
  [/\bin vain\b/, 'without success'],
  [/\b(is|are) away\b/, 'is unreachable, is unavailable'],
  [/\b(that|which|it|this) (is|are|was|were) no (?!longer|more)/, 'is not a'],
  [/\bsays? of\b/, 'the description of'],
  [/\bof its own accord\b/, 'automatically'],
  [/\b(as it happens|come what may)\b/, 'live, in any case'],
  [/\bchanges? of the clocks?\b/, 'daylight-saving transition'],
  [/\bcontestants?\b/, 'candidates'],
  [/\balso when called\b/, 'this function and the returned one'],
  [/\b(the outside world|foreign imports)\b/, 'external systems, imports from other products'],
];

/** Parts of identifiers that name nothing: bare participles and metaphors. */
const FORBIDDEN_IN_NAMES =
  /^(told|tell|tells|hear|hears|heard|nobody|whoever|somebody|hungry|heed|heeded|deed|deeds|passage|bell|bag|bagged|tally|judge|judged|bears|beside|alone|house|room|seats?|brake|wire|world|surroundings|said|says|saying|heir|doomed|swallow|mend|mended|hoarder|guilty|ghost|parrot|patience|suffer)$/i;

/** A type whose name is only a participle. Names of types are nouns. */
const PARTICIPLE_TYPE =
  /^(?:export )?(?:abstract )?(?:interface|type|class) ((?!Feed\b)[A-Z][a-z]+ed|Told|Held|Sent|Seen|Shown|Given|Found|Known|Read|Made|Paid|Sold|Taken|Written)\b/gm;

/** The names of types in a source that are bare participles, such as `Asked`. */
export function participleTypes(source: string): string[] {
  return [...source.matchAll(PARTICIPLE_TYPE)].map(([, name]) => name!);
}

/** The forbidden words of a text, each with what to write instead. */
export function forbiddenIn(prose: string): string[] {
  return FORBIDDEN.flatMap(([phrase, instead]) => {
    const [found] = new RegExp(phrase.source, 'i').exec(prose) ?? [];
    return found === undefined ? [] : [`"${found}": write ${instead}`];
  });
}

/** Whether a name such as `whenTold` or `HELD_BELLS` has a forbidden word. Names of columns and tables are exempt: migrations fix them. */
export function isForbiddenName(name: string): boolean {
  if (/^[a-z]+(_[a-z]+)+$/.test(name)) return false;
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|[_#$]+/).some(word => FORBIDDEN_IN_NAMES.test(word));
}

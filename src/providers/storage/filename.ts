/** Characters of a stored name. */
const MAX_FILENAME = 255;
const UNTITLED = 'file';

/**
 * A name that somebody sent as text that can be stored and shown: no folders, no control characters, at most 255
 * characters. It is never part of a path.
 */
export function cleanFilename(sent: string): string {
  const name = sent
    .toWellFormed()
    // Control characters, and those that turn the direction of what follows.
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/^.*[/\\]/s, '')
    .trim();
  if (name === '' || /^\.+$/.test(name)) return UNTITLED;
  return shortened(name);
}

/** Keeps the extension, by which people know what a file is. */
function shortened(name: string): string {
  if (name.length <= MAX_FILENAME) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  // Half of a surrogate pair may be what is left at the cut.
  return name.slice(0, MAX_FILENAME - extension.length).replace(/[\ud800-\udbff]$/, '') + extension;
}

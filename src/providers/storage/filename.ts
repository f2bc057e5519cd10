/** Maximum characters of a stored filename. */
const MAX_FILENAME = 255;
const UNTITLED = 'file';

/**
 * Cleans the filename of an upload for storage and display: no folders, no control characters, at most 255 characters. The result is
 * never part of a path.
 */
export function cleanFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    // Control characters, and characters that change the text direction.
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/^.*[/\\]/s, '')
    .trim();
  if (name === '' || /^\.+$/.test(name)) return UNTITLED;
  return truncate(name);
}

/** Truncates a filename and keeps its extension. */
function truncate(name: string): string {
  if (name.length <= MAX_FILENAME) return name;
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  // Removes half of a surrogate pair at the cut.
  return name.slice(0, MAX_FILENAME - extension.length).replace(/[\ud800-\udbff]$/, '') + extension;
}

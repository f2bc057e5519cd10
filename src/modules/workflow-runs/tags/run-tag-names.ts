import { type Faults, hasUnstorableText } from '../../../platform/errors/fields.js';

/** Tags of one run. */
export const MAX_TAGS = 20;
/** Characters of a tag. */
export const MAX_TAG = 64;
export const TAGS = `Labels by which people find the run: at most ${MAX_TAGS}, of 1-${MAX_TAG} characters each.`;

/** The tags without surrounding spaces and repetitions, in the order of the text. Adds a fault for each invalid tag. */
export function tagNames(faults: Faults, field: string, tags: readonly string[]): string[] {
  if (tags.length > MAX_TAGS) faults.add(field, `Ensure this list has no more than ${MAX_TAGS} tags.`);
  const names = tags.slice(0, MAX_TAGS).map(tag => tag.trim());
  for (const name of names) {
    if (name.length === 0 || name.length > MAX_TAG)
      faults.add(field, `A tag has 1-${MAX_TAG} characters, without spaces around it.`);
    else if (hasUnstorableText(name) || /\p{Cc}/u.test(name))
      faults.add(field, `The tag ${JSON.stringify(name)} has characters that are not allowed.`);
  }
  return [...new Set(names)].sort();
}

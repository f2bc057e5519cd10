import { type Sources, withoutComments } from './sources.js';

const CALL = 'failpoint(';
const DECLARATION = 'src/platform/testing/failpoint.ts';

/** Tests that contain names of failpoints without reaching them. */
const OTHERS = ['test/platform/config.test.ts', 'test/architecture.test.ts'];

/**
 * Returns the failpoints of the sources that no test names, with or without `:n`. The name of a failpoint must be a literal: one that is
 * built counts as unreached.
 */
export function unreachedFailpoints(sources: Sources, tests: Sources): string[] {
  const texts = [...tests].filter(([file]) => !OTHERS.includes(file)).map(([, text]) => withoutComments(text));
  const quoted = (name: string) => [`'${name}'`, `'${name}:`, `\`${name}:`];
  const isReached = (name: string) => texts.some(text => quoted(name).some(part => text.includes(part)));
  const written = [...sources].flatMap(([file, text]) =>
    file === DECLARATION ? [] : withoutComments(text).split(CALL).slice(1).map(argumentOf),
  );
  return [...new Set(written)].filter(argument => !(argument.startsWith("'") && isReached(argument.slice(1, -1))));
}

/** The argument with its quotes. */
function argumentOf(rest: string): string {
  return rest.slice(0, rest.indexOf(')'));
}

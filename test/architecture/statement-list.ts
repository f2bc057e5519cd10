import { type Sources, withoutComments } from './sources.js';

const CALL = /\.(?:query|byKey|prepared)(?:<[^;]*?>)?\(/g;
const HOT_LINE = /^- `(\w+)` (\d.*)$/gm;

/** A statement written as SQL text, identified by the function that executes it. */
export interface TextStatement {
  file: string;
  name: string;
  /** The SQL texts that the function executes. */
  texts: number;
}

/** The functions of `*.sql.ts` that execute statements. */
export function textStatements(sources: Sources): TextStatement[] {
  return [...statementFiles(sources)].flatMap(([file, text]) =>
    withoutComments(text)
      .split(/^(?=(?:export )?(?:async )?function )/m)
      .flatMap(part => {
        const texts = part.match(CALL)?.length ?? 0;
        if (texts === 0) return [];
        const name = /^(?:export )?(?:async )?function (\w+)/.exec(part)?.[1] ?? '';
        return [{ file, name, texts }];
      }),
  );
}

/** The statements that ADR 0040 lists: hot ones with a measured figure, and cold ones. */
export interface StatementList {
  hot: { name: string; figure: string }[];
  /** Functions, or names of files without `.sql.ts`. */
  cold: string[];
}

/** Reads the list items of hot statements and the names in the paragraphs that begin with `Cold` and `Parts`. */
export function statementList(record: string): StatementList {
  const hot = [...record.matchAll(HOT_LINE)].map(([, name, figure]) => ({ name: name!, figure: figure! }));
  const others = record.split(/\n\n+/).filter(paragraph => /^(?:Cold|Parts)\b/.test(paragraph));
  const cold = others.flatMap(paragraph => [...paragraph.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!));
  return { hot, cold };
}

/** Differences between the sources and the decision record. */
export function listFaults(sources: Sources, { hot, cold }: StatementList): string[] {
  const statements = textStatements(sources);
  const listed = new Set([...hot.map(({ name }) => name), ...cold]);
  const isListed = ({ file, name }: TextStatement) => listed.has(name) || cold.includes(stemOf(file));
  const names = new Set(statements.map(({ name }) => name));
  const files = [...statementFiles(sources).keys()];
  const withStatements = new Set(statements.map(({ file }) => file));
  const stems = new Set(files.map(stemOf));
  return [
    ...statements.filter(each => !isListed(each)).map(({ file, name }) => `${file}: ${name} is not listed`),
    ...files
      .filter(file => !withStatements.has(file) && !cold.includes(stemOf(file)))
      .map(file => `${file} is not listed`),
    ...hot.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} executes no statement of a *.sql.ts file`),
    ...cold
      .filter(name => !names.has(name) && !stems.has(name))
      .map(name => `${name} is neither a function nor a file`),
  ];
}

function statementFiles(sources: Sources): Sources {
  return new Map([...sources].filter(([file]) => file.startsWith('src/') && file.endsWith('.sql.ts')));
}

function stemOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1, -'.sql.ts'.length);
}

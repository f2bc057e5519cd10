import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { getNullableType, isListType } from 'graphql';
import { RestFault } from '../errors.js';
import { isMultipart } from '../input/content-type.js';
import { Faults } from '../input/faults.js';
import { filePartsOf } from '../input/inputs.js';
import { parseText } from '../input/query-text.js';
import { storageFault } from '../json-text.js';
import type { BodyRequest, ReadBody, ReceivedFile } from './body-request.js';
import { readJsonBody } from './json.js';

const limits = { fields: 100, fieldNameSize: 200, fieldSize: 1024 * 1024, files: 20, parts: 120 };
const TOO_MANY_PARTS = `The form has too many parts. At most ${limits.files} files and ${limits.fields} fields are allowed.`;

/** Reads a multipart form, or a JSON object without files. Files are received one after another while the body arrives. */
export const readMultipart: ReadBody = async request => {
  if (!isMultipart(request.contentType.type)) return readJsonBody(request);
  const { inputs } = request;
  const { texts, files } = await readParts(request, new Set(inputs.flatMap(filePartsOf)));
  const values: Record<string, unknown> = {};
  for (const input of inputs) {
    const parts = filePartsOf(input);
    const received = parts.flatMap(part => files.get(part) ?? []);
    if (parts.length > 0 && isListType(getNullableType(input.type))) values[input.name] = received;
    else if (received.length > 0) values[input.name] = received[0];
    const text = texts.get(input.name)?.at(-1);
    // A text part in place of a file is kept as text, so that validation rejects it.
    if (text !== undefined && !Object.hasOwn(values, input.name)) values[input.name] = parseText(input.type, text);
    texts.delete(input.name);
  }
  // The others are unknown, which the caller reports.
  return { ...Object.fromEntries(texts), ...values };
};

/** A part of a form whose names are ids of input fields. Exactly one of `text` and `file` is set. */
interface FieldPart {
  readonly fieldId: string;
  readonly text?: string;
  readonly file?: ReceivedFile;
}

/** Reads a multipart form whose parts may have any name. @throws RestFault for an invalid form. */
export async function readFieldParts(request: BodyRequest): Promise<FieldPart[]> {
  const { texts, files } = await readParts(request, null);
  const fault = storageFault([...texts].flat(2)) ?? storageFault([...files.keys()]);
  if (fault !== null) throw new RestFault('BAD_USER_INPUT', fault);
  return [
    ...[...texts].flatMap(([fieldId, all]) => all.map(text => ({ fieldId, text }))),
    ...[...files].map(([fieldId, file]) => ({ fieldId, file })),
  ];
}

interface Parts {
  /** The texts of repeated names are in the order of the form. */
  texts: Map<string, string[]>;
  files: Map<string, ReceivedFile>;
}

/** `fileNames`: the names that files may have; null: any. */
function readParts({ req, receive }: BodyRequest, fileNames: ReadonlySet<string> | null): Promise<Parts> {
  const parts = new ReceivedParts(fileNames, receive);
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({ headers: req.headers, limits, defParamCharset: 'utf8', preservePath: true });
    } catch {
      return reject(malformedForm());
    }
    let isEnding = false;
    const end = (error?: unknown): void => {
      if (isEnding) return;
      isEnding = true;
      if (error !== undefined) {
        // The rest of the body is read and discarded: if the connection were closed, the client would not see the response.
        req.unpipe(parser);
        req.resume();
        parser.destroy();
      }
      parts.finish(error).then(resolve, reject);
    };
    const tooMany = () => end(new RestFault('BAD_USER_INPUT', TOO_MANY_PARTS));
    parser
      .on('file', (name, content, { filename }) => parts.receiveFile(name, content, filename)?.catch(end))
      .on('field', (name, text, { valueTruncated }) => parts.addText(name, text, valueTruncated))
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .on('partsLimit', tooMany)
      .on('error', () => end(malformedForm()))
      .on('close', () => end());
    // The client disconnected before the end of the body.
    req.once('close', () => {
      if (!req.complete) end(malformedForm());
    });
    req.pipe(parser);
  });
}

/** Collects the parts of one form while it arrives. */
class ReceivedParts {
  readonly #texts: Parts['texts'] = new Map();
  readonly #files: Parts['files'] = new Map();
  readonly #faults = new Faults();
  readonly #usedNames = new Set<string>();
  readonly #receiving: Promise<unknown>[] = [];

  constructor(
    private readonly knownNames: ReadonlySet<string> | null,
    private readonly receive: BodyRequest['receive'],
  ) {}

  addText(name: string, text: string, isTruncated: boolean): void {
    if (isTruncated) this.#faults.add(name, `Ensure this field has no more than ${limits.fieldSize} characters.`);
    this.#texts.set(name, [...(this.#texts.get(name) ?? []), text]);
  }

  /** Receives a file; undefined when the file is discarded. */
  receiveFile(name: string, content: Readable, filename: string | undefined): Promise<unknown> | undefined {
    // The parser reports its own end; the error of a file without a reader must not end the process.
    content.on('error', () => {});
    // A form sends an empty part for a file input that was left empty.
    if (!filename || !this.#checkFileName(name)) {
      content.resume();
      return undefined;
    }
    this.#usedNames.add(name);
    const received = this.receive(content, filename).then(file => this.#files.set(name, file));
    this.#receiving.push(received);
    return received;
  }

  /** Adds a fault for an unknown or repeated name. Returns whether the file of this name is received. */
  #checkFileName(name: string): boolean {
    const { knownNames } = this;
    if (knownNames?.has(name) === false) {
      this.#faults.add(name, `Unknown file part. Use one of: ${[...knownNames].join(', ')}.`);
      return false;
    }
    const isFirst = !this.#usedNames.has(name);
    if (!isFirst) this.#faults.add(name, 'Send only one file with this name.');
    return isFirst;
  }

  /** Waits for all files, then returns the parts. @throws `error`, the error of a file, or a RestFault with the faults of the parts. */
  async finish(error: unknown): Promise<Parts> {
    await Promise.allSettled(this.#receiving);
    if (error !== undefined) throw error;
    // A file can fail after the parser has read the whole form, for example if the disk is full.
    await Promise.all(this.#receiving);
    this.#faults.throwIfAny();
    return { texts: this.#texts, files: this.#files };
  }
}

function malformedForm(): RestFault {
  return new RestFault('PARSE_ERROR', 'The body is not a well-formed multipart/form-data form.');
}

import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { getNullableType, isListType } from 'graphql';
import { RestFault } from '../errors.js';
import { isMultipart } from '../input/content-type.js';
import { Faults } from '../input/faults.js';
import { filePartsOf } from '../input/inputs.js';
import { valueOfText } from '../input/query-text.js';
import type { BodyRequest, ReadBody, ReceivedFile } from './body-request.js';
import { readJsonBody } from './json.js';

const limits = { fields: 100, fieldNameSize: 200, fieldSize: 1024 * 1024, files: 20, parts: 120 };

/** A form with files, or a JSON object for requests that send none. Files are received one after the other as they come. */
export const readMultipart: ReadBody = async request => {
  if (!isMultipart(request.contentType.type)) return readJsonBody(request);
  const { inputs } = request;
  const { texts, files } = await readParts(request);
  const values: Record<string, unknown> = {};
  for (const input of inputs) {
    const parts = filePartsOf(input);
    const sent = parts.flatMap(part => files.get(part) ?? []);
    if (parts.length > 0 && isListType(getNullableType(input.type))) values[input.name] = sent;
    else if (sent.length > 0) values[input.name] = sent[0];
    const text = texts.get(input.name);
    // A text where a file belongs is read as what it is, and refused for it.
    if (text !== undefined && !Object.hasOwn(values, input.name)) values[input.name] = valueOfText(input.type, text);
  }
  return values;
};

interface Parts {
  texts: Map<string, string>;
  files: Map<string, ReceivedFile>;
}

function readParts({ req, inputs, receive }: BodyRequest): Promise<Parts> {
  const known = new Set(inputs.flatMap(filePartsOf));
  const texts: Parts['texts'] = new Map();
  const files: Parts['files'] = new Map();
  const faults = new Faults();
  const taken = new Set<string>();
  const receiving: Promise<unknown>[] = [];
  return new Promise((resolve, reject) => {
    let parser: busboy.Busboy;
    try {
      parser = busboy({ headers: req.headers, limits, defParamCharset: 'utf8', preservePath: true });
    } catch {
      return reject(malformed());
    }
    let isEnding = false;
    const end = async (error?: unknown) => {
      if (isEnding) return;
      isEnding = true;
      if (error !== undefined) {
        // What is still to come is read and forgotten: a client that is cut off would not see the answer.
        req.unpipe(parser);
        req.resume();
        parser.destroy();
      }
      await Promise.allSettled(receiving);
      if (error !== undefined) return reject(error);
      try {
        faults.throwIfAny();
        resolve({ texts, files });
      } catch (fault) {
        reject(fault);
      }
    };
    const onFile = (name: string, content: Readable, { filename }: { filename: string | undefined }) => {
      // The parser tells of its own end; a file that nobody reads must not end the process.
      content.on('error', () => {});
      // A form sends an empty part for a file that nobody chose.
      if (!filename) return void content.resume();
      if (!known.has(name)) faults.add(name, `No file is taken under this name, only: ${[...known].join(', ')}.`);
      else if (taken.has(name)) faults.add(name, 'Only one file is taken under this name.');
      if (!known.has(name) || taken.has(name)) return void content.resume();
      taken.add(name);
      const received = receive(content, filename).then(file => files.set(name, file));
      receiving.push(received);
      received.catch(error => end(error));
    };
    const tooMany = () => void end(new RestFault('BAD_USER_INPUT', 'The form has too many parts.'));
    parser
      .on('file', onFile)
      .on('field', (name, text, { valueTruncated }) => {
        if (valueTruncated) faults.add(name, `Ensure this field has no more than ${limits.fieldSize} characters.`);
        texts.set(name, text);
      })
      .on('filesLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .on('partsLimit', tooMany)
      .on('error', () => void end(malformed()))
      .on('close', () => void end());
    // Gone before it had sent everything.
    req.once('close', () => {
      if (!req.complete) void end(malformed());
    });
    req.pipe(parser);
  });
}

function malformed(): RestFault {
  return new RestFault('PARSE_ERROR', 'The body is not a well-formed multipart/form-data form.');
}

/** A part of a multipart form: a text, or a file with its name and media type. */
export interface FormPart {
  name: string;
  content: string | { bytes: Uint8Array; filename: string; contentType: string };
}

const encoder = new TextEncoder();

/**
 * Encodes a form as multipart/form-data (RFC 7578). `key` makes the boundary the same for every attempt of a request,
 * so that servers recognize a repetition by its bytes.
 */
export function encodeForm(parts: readonly FormPart[], key: string): { bytes: Uint8Array; contentType: string } {
  const encoded = parts.map(({ name, content }) =>
    typeof content === 'string'
      ? { head: `name="${quote(name)}"`, bytes: encoder.encode(content) }
      : {
          head: `name="${quote(name)}"; filename="${quote(content.filename)}"\r\nContent-Type: ${content.contentType}`,
          bytes: content.bytes,
        },
  );
  const boundary = unusedBoundary(
    encoded.map(({ bytes }) => bytes),
    key,
  );
  const chunks = encoded.flatMap(({ head, bytes }) => [
    encoder.encode(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    bytes,
    encoder.encode('\r\n'),
  ]);
  const bytes = Buffer.concat([...chunks, encoder.encode(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function unusedBoundary(contents: readonly Uint8Array[], key: string): string {
  const start = `form-${key.replace(/[^A-Za-z0-9-]/g, '').slice(0, 40)}`;
  for (let index = 0; ; index++) {
    const boundary = `${start}-${index}`;
    if (!contents.some(bytes => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(boundary)))
      return boundary;
  }
}

/** Escapes as the HTML standard does for names in multipart forms. */
function quote(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

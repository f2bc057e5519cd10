import net from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: unknown;
}

/** Sends bytes unchanged and reads until the server closes the connection, for requests that no HTTP client sends. */
export async function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    socket.setTimeout(100_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map(line => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers),
    body: body === '' ? null : JSON.parse(body),
  };
}

/** Starts a request whose body the server waits for. Calling the result sends the body. */
export async function holdRequest(url: string): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const head = 'POST /api/v1/projects/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n';
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    // "100 Continue": the service has read the headers of the request.
    socket.once('data', () => resolve());
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  });
  return async () => {
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.resume();
    socket.write('{}');
    await closed;
  };
}

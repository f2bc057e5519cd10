// Calls every method of the package, in Node and in browsers. Returns the results, which test/clients/typescript.slow.test.ts compares.

/** `target`: url, key, project and workflow, whose input field is `topic`. */
export async function exercise({ ScenariumClient, ApiError, RefusedError }, target) {
  const client = new ScenariumClient({ url: target.url, apiKey: target.key });
  const outcome = await client.runAndWait(target.workflow, { topic: 'cats' });

  const idempotencyKey = `exercise-${Math.random()}`;
  const runs = [1, 2].map(() => client.run(target.workflow, { topic: 'dogs' }, { idempotencyKey }));
  const [runId, sameId] = await Promise.all(runs);
  const changes = [];
  for await (const change of client.watch(runId)) changes.push(change);
  const sequencesAfter2 = [];
  for await (const { sequence } of client.watch(runId, { afterSequence: 2 })) sequencesAfter2.push(sequence);

  const files = [
    { name: 'one.txt', content: 'first' },
    { name: 'ähm.txt', content: new Blob(['second']) },
    new File(['third'], 'three.txt'),
  ];
  const documents = await client.upload(target.project, files);

  const parts = [];
  const messages = [{ role: 'user', content: 'Hello from a test' }];
  for await (const part of client.chat({ model: 'echo', messages }, { projectId: target.project })) parts.push(part);

  const { project } = await client.request('query ($id: Int!) { project(id: $id) { id } }', { id: target.project });
  return {
    output: outcome.output,
    isOneRun: runId === sameId,
    kinds: changes.map(({ kind }) => kind),
    sequences: changes.map(({ sequence }) => sequence),
    sequencesAfter2,
    documents: documents.map(({ filename, size }) => [filename, size]),
    chat: parts.join(''),
    isStreamed: parts.length > 1,
    project,
    refused: await errorOf(client.run(target.workflow, {}), RefusedError),
    missing: await errorOf(client.watch('01a1fccb-0000-7000-8000-000000000000').next(), ApiError),
    unknownModel: await errorOf(client.chat({ model: 'no such model', messages }).next(), ApiError),
    wrongKey: await errorOf(
      new ScenariumClient({ url: target.url, apiKey: 'sk-wrong' }).request('{ me { id } }'),
      ApiError,
    ),
    aborted: await abortedWatch(client, target),
  };
}

/** The members of an error that callers read; the error itself if it has another class. */
async function errorOf(promise, type) {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    if (!(error instanceof type)) return `${error.name}: ${error.message}`;
    const { name, code, status, fields, requestId } = error;
    return { name, code, status, hasFields: Object.keys(fields).length > 0, hasRequestId: Boolean(requestId) };
  }
}

/** A watch that its signal ends rejects with the reason of the signal. */
async function abortedWatch(client, { workflow }) {
  const controller = new AbortController();
  const runId = await client.run(workflow, { topic: 'birds' });
  const reason = new Error('enough');
  try {
    for await (const _ of client.watch(runId, { signal: controller.signal })) controller.abort(reason);
    return 'ended';
  } catch (error) {
    return error === reason ? 'the reason of the signal' : String(error);
  }
}

/** Uses a service that answers by a script: a status with headers and a body, or null for a lost connection. */
export async function exerciseRetries({ ScenariumClient, ApiError, ConnectionError }) {
  const json = { 'Content-Type': 'application/json' };
  const retryNow = { 'Retry-After': '0' };
  const started = { status: 200, body: '{"data":{"workflowRunStart":{"run":{"id":"r"},"errors":[]}}}', headers: json };
  const event = sequence =>
    `event: next\ndata: {"data":{"workflowRunChanged":{"sequence":${sequence},"kind":"NODE_STARTED"}}}\n\n`;
  const stream = body => ({ status: 200, body, headers: { 'Content-Type': 'text/event-stream' } });
  const scripted = steps => {
    const bodies = [];
    const fetch = async (_url, { body }) => {
      bodies.push(JSON.parse(body).variables);
      const step = steps.shift();
      if (!step) throw new TypeError('fetch failed');
      const content = step.isCut ? cutBody(step.body) : (step.body ?? '');
      return new Response(content, { status: step.status, headers: step.headers });
    };
    return { bodies, client: new ScenariumClient({ url: 'http://x', apiKey: 'k', retries: 2, fetch }) };
  };

  const busy = scripted([{ status: 429, headers: retryNow }, { status: 503, headers: retryNow }, started]);
  const run = await busy.client.run(1);
  const alwaysBusy = scripted([1, 2, 3].map(() => ({ status: 503, headers: retryNow })));
  const lostQuery = scripted([null, started]);
  const lostMutation = scripted([null, started]);
  const cutQuery = scripted([{ ...started, isCut: true }, started]);
  const notJson = scripted([{ status: 200, body: '<html>', headers: {} }]);
  const unreachable = scripted([]);
  const overloaded = scripted([1, 2, 3].map(() => ({ status: 503, headers: retryNow })));
  const interrupted = scripted([
    stream(`${event(1)}${event(2)}`),
    null,
    stream(`: ping\n\n${event(3)}event: complete\ndata:\n\n`),
  ]);
  const sequences = [];
  for await (const { sequence } of interrupted.client.watch('r')) sequences.push(sequence);
  return {
    run,
    keys: new Set(busy.bodies.map(({ idempotencyKey }) => idempotencyKey)).size,
    attempts: busy.bodies.length,
    givenUp: await errorOf(alwaysBusy.client.request('{ me { id } }'), ApiError),
    isLostQueryRepeated: Boolean(await lostQuery.client.request('{ me { id } }')),
    // A lost mutation may have had its effect, so the client does not repeat it.
    isLostMutationReported: await lostMutation.client
      .request('mutation { x }')
      .catch(error => error instanceof ConnectionError),
    cutQuery: Boolean(await cutQuery.client.request('{ me { id } }')),
    notJson: await notJson.client.request('{ me { id } }').catch(error => error.message),
    watchGivesUp: [
      await unreachable.client
        .watch('r')
        .next()
        .catch(error => [error.name, unreachable.bodies.length]),
      await overloaded.client
        .watch('r')
        .next()
        .catch(error => [error.name, overloaded.bodies.length]),
    ],
    abortedInBody: await abortedInBody(ScenariumClient),
    uploadedType: await uploadedType(ScenariumClient),
    sequences,
    resumedAfter: interrupted.bodies.map(({ afterSequence }) => afterSequence),
  };
}

/** A body whose connection is lost after its first bytes. */
function cutBody(text) {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
      controller.error(new TypeError('terminated'));
    },
  });
}

/** A request that its signal ends while the body is read rejects with the reason of the signal. */
async function abortedInBody(ScenariumClient) {
  const controller = new AbortController();
  const reason = new Error('enough');
  const body = new ReadableStream({
    pull(stream) {
      controller.abort(reason);
      stream.error(new TypeError('aborted'));
    },
  });
  const client = new ScenariumClient({ url: 'http://x', apiKey: 'k', fetch: async () => new Response(body) });
  const options = { signal: controller.signal };
  return client.request('{ me { id } }', undefined, options).catch(error => error === reason);
}

/** The media type with which a `Blob` is uploaded. */
async function uploadedType(ScenariumClient) {
  let type;
  const fetch = async (_url, { body }) => {
    type = body.get('0').type;
    return new Response('{"data":{"documentUpload":{"documents":[],"errors":[]}}}');
  };
  const content = new Blob(['a,b'], { type: 'text/csv' });
  await new ScenariumClient({ url: 'http://x', apiKey: 'k', fetch }).upload(1, [{ name: 'a.csv', content }]);
  return type;
}

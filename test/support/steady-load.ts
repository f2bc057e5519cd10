import { performance } from 'node:perf_hooks';
import { ADMIN_KEY } from './config.js';

export interface SteadyLoad {
  /** Ids of the runs with the inner status 201. */
  accepted: string[];
  /** One line for each unexpected response and each request without a response. */
  failures: string[];
  /** Number of requests with a response, expected or not. */
  answered(): number;
  stop(): Promise<void>;
}

const QUERY = '{ projects { total items { name } } }';

/** Sends `perSecond` requests, without waiting for earlier responses: in turn a start of a run, a list by REST and one by GraphQL. */
export function startSteadyLoad(url: string, workflow: number, perSecond: number): SteadyLoad {
  const accepted: string[] = [];
  const failures: string[] = [];
  const inFlight = new Set<Promise<void>>();
  const headers = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' };
  let sent = 0;
  let answered = 0;

  const kinds: [string, RequestInit, (body: any) => boolean][] = [
    [
      `/api/v1/workflows/${workflow}/run/`,
      { method: 'POST', body: JSON.stringify({ topic: 'cats' }) },
      body => {
        if (body.status === 201) accepted.push(body.data.id);
        return body.status === 201;
      },
    ],
    ['/api/v1/projects/', {}, body => body.total > 0],
    ['/graphql', { method: 'POST', body: JSON.stringify({ query: QUERY }) }, body => body.data?.projects.total > 0],
  ];

  const send = async (nth: number) => {
    const [path, init, isRight] = kinds[nth % kinds.length]!;
    try {
      const answer = await fetch(`${url}${path}`, { ...init, headers });
      const text = await answer.text();
      answered++;
      if (answer.status !== 200 || !isRight(JSON.parse(text))) failures.push(`${path}: ${answer.status} ${text}`);
    } catch (error) {
      failures.push(`${path}: ${error}`);
    }
  };
  const began = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (sent < due) {
      const one = send(sent++).finally(() => inFlight.delete(one));
      inFlight.add(one);
    }
  }, 10);

  return {
    accepted,
    failures,
    answered: () => answered,
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

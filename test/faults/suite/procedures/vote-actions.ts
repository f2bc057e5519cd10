import { createHash, randomUUID } from 'node:crypto';
import { eventually } from '../../../support/eventually.js';
import { chain, node, output, trigger } from '../../../support/graphs.js';
import { type Action, type ActionTarget, createWorkflow, type PendingAction, pendingRun, post } from '../actions.js';
import { request } from '../client.js';

/** The first of two votes is sent to the process that dies, the second one afterwards. */
export const firstVote: Action = async target => {
  const question = await ask(target);
  return async url => {
    await question.vote(url, 0);
    await question.vote(target.url, 1);
    return question.pending;
  };
};

/** The second of two votes, which decides, is sent to the process that dies. */
export const decidingVote: Action = async target => {
  const question = await ask(target);
  await question.vote(target.url, 0);
  return async url => {
    await question.vote(url, 1);
    return question.pending;
  };
};

/** Two votes decide while no worker is alive. The process that dies continues the run. */
export const decidedRun: Action = async target => {
  const question = await ask(target);
  return async () => {
    for (const voter of [0, 1]) await question.vote(target.url, voter);
    return question.pending;
  };
};

/** Starts a run whose approval node the process that dies asks. */
export const votedRun: Action = async target => {
  const { workflow, voters } = await createQuestion(target);
  const key = randomUUID();
  return async url => {
    const question = await start(target, workflow, voters, url, key);
    for (const voter of [0, 1]) await question.vote(target.url, voter);
    return question.pending;
  };
};

/** Starts a run with an approval node and waits for its question. */
async function ask(target: ActionTarget): Promise<Question> {
  const { workflow, voters } = await createQuestion(target);
  return start(target, workflow, voters, target.url);
}

/** Creates a workflow whose approval node needs two of the three votes, and the voters. */
async function createQuestion(target: ActionTarget): Promise<{ workflow: number; voters: Voter[] }> {
  const voters = [await createVoter(target), await createVoter(target), await createVoter(target)];
  const settings = { title: 'Continue?', deciders: 'users', user_ids: voters.map(({ id }) => id), approvals: 2 };
  const data = chain(trigger(), node('approval-node', settings), output('{{ previous.content }}'));
  data.edges.at(-1)!.sourceHandle = 'approved';
  return { workflow: await createWorkflow(target, data), voters };
}

interface Voter {
  id: number;
  key: string;
}

interface Question {
  /** Approves as the voter with this index. */
  vote(url: string, voter: number): Promise<void>;
  pending: PendingAction;
}

async function start(
  target: ActionTarget,
  workflow: number,
  voters: Voter[],
  url: string,
  key?: string,
): Promise<Question> {
  const { sql } = target.fixture;
  const { id } = (await post(url, `workflows/${workflow}/run/`, {}, key)).body.data;
  const readApprovals = () =>
    sql<Approval>('select id, decision, votes from workflow_run_approval where run_id = $1', [id]);
  const [asked] = await eventually(
    () => readApprovals().catch(() => []),
    ({ length }) => length > 0,
  );
  const run = pendingRun(target, id, 'succeeded');
  return {
    vote: async (at, voter) => {
      const path = `workflows/workflow_run/${id}/agent-approval/${asked!.id}/approve/`;
      await post(at, path, undefined, undefined, voters[voter]!.key);
    },
    pending: {
      isFinished: run.isFinished,
      faults: async () => {
        const found = (await readApprovals()).map(({ decision, votes }) => [decision, votes.map(vote => vote.userId)]);
        const expected = [['approved', voters.slice(0, 2).map(voter => voter.id)]];
        const isRight = JSON.stringify(found) === JSON.stringify(expected);
        return [...(await run.faults()), ...(isRight ? [] : [`the requests of ${id} are ${JSON.stringify(found)}`])];
      },
    },
  };
}

interface Approval {
  id: string;
  decision: string | null;
  votes: { userId: number }[];
}

async function createVoter(target: ActionTarget): Promise<Voter> {
  const email = `${randomUUID()}@example.com`;
  const key = `sk-faults-${randomUUID()}`;
  const query = `mutation { userCreate(input: { email: "${email}", name: "Voter", isApiAllowed: true }) { user { id } errors { message } } }`;
  const created = await request(target.url, 'POST', '/graphql', { body: { query } });
  const id = created.body.data?.userCreate?.user?.id;
  if (id === undefined) throw new Error(JSON.stringify(created.body));
  await post(target.url, `projects/${target.project}/members/`, { email, role: 'editor' });
  const hash = createHash('sha256').update(key).digest();
  await target.fixture.sql(`insert into api_key (user_id, name, prefix, hash) values ($1, 'faults', $2, $3)`, [
    ...[id, key.slice(0, 6), hash],
  ]);
  return { id, key };
}

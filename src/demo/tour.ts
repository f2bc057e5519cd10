import { styleText } from 'node:util';
import { prepareWorkflow } from './prepare.js';
import { Progress } from './progress.js';
import type { RestClient } from './rest-client.js';
import { fetchResult, resultPath } from './result.js';
import { createSamples, publishSample } from './samples.js';
import { watchRun } from './watch.js';
import { DEMO_INPUT, DEMO_PROJECT, DEMO_WORKFLOW, type DemoGraphOptions, demoGraph } from './workflow.js';

interface RunReceipt {
  status: number;
  data: { id: string; data: unknown; error?: { message: string } | null };
}

interface TourOptions extends DemoGraphOptions {
  /** Whether only the demo uses the service, so that its marketplace may get a workflow. */
  isOwn: boolean;
}

/**
 * Creates the workflow, runs it, follows it and prints its result. Returns the screen of the run in the console. Throws
 * unless the run succeeds.
 */
export async function tour(rest: RestClient, { isOwn, ...options }: TourOptions): Promise<string> {
  const graph = demoGraph(options);
  const { projectId, workflowId } = await prepareWorkflow(rest, graph);
  await createSamples(rest, projectId, workflowId);
  const path = `/api/v1/workflows/${workflowId}/run/`;
  const { status, data: run } = await rest.post<RunReceipt>(path, DEMO_INPUT);
  // The HTTP status of a run is always 200. The inner status contains the outcome.
  if (status !== 201)
    throw new Error(
      `The service rejected the run (inner status ${status}): ${run.error?.message ?? JSON.stringify(run.data)}`,
    );

  heading(`Workflow "${DEMO_WORKFLOW}" of project "${DEMO_PROJECT}"`);
  console.log(`  POST ${path}  ${JSON.stringify(DEMO_INPUT)}\n`);
  const progress = new Progress(graph);
  for await (const change of watchRun(rest, run.id)) progress.apply(change);

  const result = await fetchResult(rest, workflowId, run.id);
  heading('Result');
  console.log(`  GET ${resultPath(run.id)}\n`);
  console.log(`  status  ${result.status}`);
  if (result.status !== 'succeed') throw new Error(`The run failed: ${result.error ?? 'no reason given'}`);
  console.log(`  output  ${result.output}`);
  console.log(`  cost    ${result.cost.USD} USD, ${result.cost.SR} SR`);
  console.log(`  took    ${result.seconds} s`);
  if (isOwn) await publishSample(rest, workflowId, run.id);
  return `/projects/${projectId}/runs/${run.id}`;
}

export function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

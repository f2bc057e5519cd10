import { describe, expect, it } from '@jest/globals';
import { traceRun } from '../../src/durable/trace-runs.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Batcher } from '../../src/platform/sql/batcher.js';
import { currentContext, recordRunEnd, withContext } from '../../src/platform/tracing/work-context.js';

function telemetry() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const metrics = new Metrics();
  return { log, metrics, tracer: null, lines };
}

const RUN = { id: 'run-1', projectId: 7, createdAt: new Date() };

describe('a run that is executed', () => {
  it('is logged when it has ended, and counted as taken over where another worker had started it', async () => {
    const recorder = telemetry();
    await traceRun(recorder, 'workflow', { ...RUN, attempts: 2 }, async () => {
      expect(currentContext()?.runId).toBe('run-1');
      recordRunEnd({ outcome: 'failed', error: 'timeout' });
    });
    const { body } = await recorder.metrics.text();
    recorder.metrics.stop();
    expect(body).toContain('scenarium_takeovers_total{kind="workflow"} 1');
    expect(body).toContain('scenarium_runs_ended_total{kind="workflow",outcome="failed"} 1');
    expect(body).not.toContain('scenarium_run_wait_seconds_count{kind="workflow"}');
    expect(recorder.lines).toEqual([
      expect.objectContaining({ msg: 'run ended', runId: 'run-1', projectId: 7, outcome: 'failed', error: 'timeout' }),
    ]);
  });

  it('has not ended when it waits, or when another worker has it', async () => {
    const recorder = telemetry();
    await traceRun(recorder, 'workflow', RUN, async () => undefined);
    await expect(traceRun(recorder, 'workflow', RUN, async () => Promise.reject(new Error('lost')))).rejects.toThrow(
      'lost',
    );
    expect((await recorder.metrics.text()).body).not.toContain('scenarium_runs_ended_total{');
    recorder.metrics.stop();
    expect(recorder.lines).toEqual([]);
  });

  it('masks its secrets in an error, in the causes and in the errors of a group', async () => {
    const recorder = telemetry();
    const group = new AggregateError([new Error('one hunter2')], 'all hunter2', { cause: new Error('why hunter2') });
    const thrown = new Error('lost hunter2', { cause: group });
    const running = traceRun(recorder, 'workflow', RUN, async () => {
      currentContext()!.run!.mask = text => text.replaceAll('hunter2', '********');
      throw thrown;
    });
    await expect(running).rejects.toBe(thrown);
    recorder.metrics.stop();
    recorder.log.error({ err: thrown }, 'outside of the run');
    recorder.log.error({ err: group }, 'outside of the run');
    expect(JSON.stringify(recorder.lines)).not.toContain('hunter2');
    expect(recorder.lines[1]).toMatchObject({ err: { aggregateErrors: [{ message: 'one ********' }] } });
  });
});

describe('models beyond the first two hundred', () => {
  it('are counted as one', async () => {
    const { metrics } = telemetry();
    for (let nth = 0; nth < 300; nth++)
      metrics.recordModelCall({ provider: 'openai', model: `model-${nth}`, outcome: 'ok', seconds: 1 });
    const { body } = await metrics.text();
    metrics.stop();
    expect(body.match(/^scenarium_model_calls_total\{/gm)).toHaveLength(201);
    expect(body).toContain('scenarium_model_calls_total{provider="openai",model="other",outcome="ok"} 100');
  });
});

describe('work that is shared by many requests', () => {
  it('belongs to none of them', async () => {
    const batcher = new Batcher<string, string | undefined>(
      async items => items.map(() => currentContext()?.requestId),
      {
        concurrency: 1,
        maxBatch: 10,
      },
    );
    const [during, after] = await withContext({ requestId: 'r1' }, async () => [
      await batcher.add('item'),
      currentContext()?.requestId,
    ]);
    expect([during, after]).toEqual([undefined, 'r1']);
  });
});

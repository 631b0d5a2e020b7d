import { expect } from 'chai';
import { createLoopModel } from '../engines/engine-models.spec.support.js';
import { waitForEnd } from '../http/http.spec.support.js';
import { useLimitedTemporalHost } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

const JOB_COUNT = 30;
/** Temporal suggests that a workflow continues as new at this number of events. */
const SUGGESTED_EVENTS = 40;

describeOnTemporal('long runs', function () {
  this.timeout(60_000);
  const context = useLimitedTemporalHost(
    { 'limit.historyCount.suggestContinueAsNew': SUGGESTED_EVENTS },
    createLoopModel(JOB_COUNT),
  );

  it('should execute each job once while the workflow continues as new', async () => {
    // given
    const { server, host, viewer } = context;
    const { runId } = await viewer.startRun({ body: { workflowId: 'loop', inputs: {} } });

    // when
    const jobIds = new Set<string>();
    for (let index = 0; index < JOB_COUNT; index += 1) jobIds.add((await host.jobs.complete('work', {})).jobId);

    // then
    const { outcome, steps } = await waitForEnd(viewer, runId);
    expect(outcome).to.equal('completed');
    expect(jobIds.size).to.equal(JOB_COUNT);
    expect(steps.filter(({ attempt }) => attempt > 1)).to.deep.equal([]);
    const history = JSON.parse(await server.readHistory(runId)) as { history: { events: unknown[] } };
    expect(JSON.stringify(history.history.events[0])).to.contain('"continuedExecutionRunId"');
    expect(history.history.events.length).to.be.below(SUGGESTED_EVENTS * 2);
  });
});

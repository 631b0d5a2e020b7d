import { expect } from 'chai';
import {
  chainEvents,
  GENESIS_HASH,
  type JobOffer,
  PersonSalts,
  type RunEvent,
  type RunState,
} from '@countersign/model';
import {
  end,
  flows,
  job,
  RUN_ID,
  start,
  TestRun,
  user,
} from '../../../../interpreter/dist/interpreter.spec.support.js';
import { RunTimeline, type RunAtEvent, type TimelineSources } from './run-timeline.js';

const LOOP_MODEL =
  start +
  job('work') +
  '<bpmn:exclusiveGateway id="again" default="again_end"/>' +
  end +
  flows('start > work', 'work > again', 'again > work: =n < limit', 'again > end');

/** Executes a run in a loop. Returns the run, its events and its state after each command. */
async function runLoop(iterations: number): Promise<{ run: TestRun; events: RunEvent[]; states: RunState[] }> {
  const run = await TestRun.of(LOOP_MODEL);
  const states = [run.start({ n: 0, limit: iterations }).state];
  for (let n = 1; n <= iterations; n += 1) {
    const jobOffer = run.requests.findLast(
      (request): request is { type: 'job.offer'; job: JobOffer } => request.type === 'job.offer',
    );
    run.now += 1_000;
    states.push(
      run.do({
        type: 'job.complete',
        actor: user('worker'),
        jobId: jobOffer?.job.jobId ?? '',
        output: { n },
        agentName: null,
      }).state,
    );
  }
  return {
    run,
    events: chainEvents(
      RUN_ID,
      GENESIS_HASH,
      run.events,
      (seq) => seq.toString(16).padStart(32, '0'),
      new PersonSalts({}, () => 'c'.repeat(32)),
    ),
    states,
  };
}

describe('RunTimeline', function () {
  this.timeout(60_000);
  let events: RunEvent[];
  let states: RunState[];
  let sources: TimelineSources;
  /** Number of events read since the last reset. */
  let readCount: number;

  before(async () => {
    const completedLoop = await runLoop(800);
    ({ events, states } = completedLoop);
    sources = {
      run: { runId: RUN_ID, parent: null },
      listEvents: async (after, limit) => {
        const page = events.slice(after, after + limit);
        readCount += page.length;
        return Promise.resolve(page);
      },
      findGraph: async () => Promise.resolve(completedLoop.run.graph),
    };
  });

  beforeEach(() => {
    readCount = 0;
  });

  const summarizeState = ({ replayedMoment }: RunAtEvent): unknown => [
    replayedMoment?.state.seq,
    replayedMoment?.state.outcome,
    replayedMoment?.state.instances,
  ];

  it('should return the state of the run after each command, regardless of earlier requests', async () => {
    const reusedTimeline = new RunTimeline();
    for (const state of [states[800], states[3], states[799], states[400], states[401], states[0]]) {
      // when
      const moments = [
        await reusedTimeline.getRunAt(state?.seq ?? 0, sources),
        await new RunTimeline().getRunAt(state?.seq ?? 0, sources),
      ];

      // then
      for (const moment of moments) {
        expect(moment.gap).to.equal(undefined);
        expect(moment.event).to.equal(events[(state?.seq ?? 0) - 1]);
        expect(moment.steps.seq).to.equal(state?.seq);
        expect(summarizeState(moment)).to.deep.equal([state?.seq, state?.outcome, state?.instances]);
      }
    }
  });

  it('should read the whole history once, and later only from a checkpoint near the requested event', async () => {
    // given
    const timeline = new RunTimeline();
    await timeline.getRunAt(events.length, sources);
    expect(readCount).to.equal(events.length);

    for (const seq of [events.length, 1_700, 900, 20]) {
      // when
      readCount = 0;
      await timeline.getRunAt(seq, sources);

      // then: at most one page, because the nearest earlier checkpoint is at most half a page away
      expect(readCount).to.be.at.most(1_000);
    }
  });

  it('should share the replay between concurrent requests', async () => {
    // given
    const timeline = new RunTimeline();

    // when
    const moments = await Promise.all([2_000, 2_000, 2_000].map((seq) => timeline.getRunAt(seq, sources)));

    // then
    expect(moments.map(({ event }) => event.seq)).to.deep.equal([2_000, 2_000, 2_000]);
    expect(readCount).to.be.at.most(2_000 + 1_000 + 2 * 1_000);
  });

  it('should report a gap when the history is inconsistent, and still return the steps', async () => {
    // given
    const forgedEvents = events.map((event): RunEvent => (event.seq === 3 ? { ...event, elementId: 'again' } : event));
    const timeline = new RunTimeline();
    const forgedSources: TimelineSources = {
      ...sources,
      listEvents: async (after: number, limit: number) => Promise.resolve(forgedEvents.slice(after, after + limit)),
    };

    // when
    const moment = await timeline.getRunAt(1_500, forgedSources);

    // then
    expect(moment.gap).to.include({ code: 'differs', seq: 3 });
    expect([moment.replayedMoment, moment.steps.seq]).to.deep.equal([undefined, 1_500]);
    expect(await timeline.getRunAt(1_500, forgedSources)).to.deep.include({ gap: moment.gap });
  });

  it('should report a gap at an event that a newer server wrote', async () => {
    // given
    const newerEvents = events.map((event) =>
      event.seq === 3 ? { ...event, data: { ...event.data, eventVersion: 2 } } : event,
    );

    // when
    const { gap } = await new RunTimeline().getRunAt(10, {
      ...sources,
      listEvents: async (after, limit) => Promise.resolve(newerEvents.slice(after, after + limit)),
    });

    // then
    expect(gap).to.include({
      code: 'differs',
      seq: 3,
      message: `A newer version of Countersign wrote run event 3 (${events[2]?.type ?? ''}).`,
    });
  });

  it('should report a gap when the workflow version is missing', async () => {
    const moment = await new RunTimeline().getRunAt(10, {
      ...sources,
      findGraph: async () => Promise.resolve(undefined),
    });
    expect(moment.gap).to.include({ code: 'version_missing', seq: 1 });
  });
});

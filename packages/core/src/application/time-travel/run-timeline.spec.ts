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

const LOOP =
  start +
  job('work') +
  '<bpmn:exclusiveGateway id="again" default="again_end"/>' +
  end +
  flows('start > work', 'work > again', 'again > work: =n < limit', 'again > end');

/** Executes a run in a loop. Returns the run, its events and its state after each command. */
async function goneRound(turns: number): Promise<{ run: TestRun; events: RunEvent[]; seen: RunState[] }> {
  const run = await TestRun.of(LOOP);
  const seen = [run.start({ n: 0, limit: turns }).state];
  for (let n = 1; n <= turns; n += 1) {
    const offered = run.requests.findLast(
      (request): request is { type: 'job.offer'; job: JobOffer } => request.type === 'job.offer',
    );
    run.now += 1_000;
    seen.push(
      run.do({
        type: 'job.complete',
        actor: user('worker'),
        jobId: offered?.job.jobId ?? '',
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
    seen,
  };
}

describe('RunTimeline', function () {
  this.timeout(60_000);
  let events: RunEvent[];
  let seen: RunState[];
  let sources: TimelineSources;
  /** Number of events read since the last reset. */
  let read: number;

  before(async () => {
    const gone = await goneRound(800);
    ({ events, seen } = gone);
    sources = {
      run: { runId: RUN_ID, parent: null },
      events: async (after, limit) => {
        const page = events.slice(after, after + limit);
        read += page.length;
        return Promise.resolve(page);
      },
      graph: async () => Promise.resolve(gone.run.graph),
    };
  });

  beforeEach(() => {
    read = 0;
  });

  const stateOf = ({ replayed }: RunAtEvent): unknown => [
    replayed?.state.seq,
    replayed?.state.outcome,
    replayed?.state.instances,
  ];

  it('should return the state of the run after each command, regardless of earlier requests', async () => {
    const kept = new RunTimeline();
    for (const state of [seen[800], seen[3], seen[799], seen[400], seen[401], seen[0]]) {
      // when
      const moments = [await kept.at(state?.seq ?? 0, sources), await new RunTimeline().at(state?.seq ?? 0, sources)];

      // then
      for (const moment of moments) {
        expect(moment.gap).to.equal(undefined);
        expect(moment.event).to.equal(events[(state?.seq ?? 0) - 1]);
        expect(moment.steps.seq).to.equal(state?.seq);
        expect(stateOf(moment)).to.deep.equal([state?.seq, state?.outcome, state?.instances]);
      }
    }
  });

  it('should read and replay a history once, and then resume near the requested event', async () => {
    // given
    const timeline = new RunTimeline();
    await timeline.at(events.length, sources);
    expect(read).to.equal(events.length);

    for (const seq of [events.length, 1_700, 900, 20]) {
      // when
      read = 0;
      await timeline.at(seq, sources);

      // then: at most one page, because the nearest earlier checkpoint is at most half a page away
      expect(read).to.be.at.most(1_000);
    }
  });

  it('should share the replay between concurrent requests', async () => {
    // given
    const timeline = new RunTimeline();

    // when
    const moments = await Promise.all([2_000, 2_000, 2_000].map((seq) => timeline.at(seq, sources)));

    // then
    expect(moments.map(({ event }) => event.seq)).to.deep.equal([2_000, 2_000, 2_000]);
    expect(read).to.be.at.most(2_000 + 1_000 + 2 * 1_000);
  });

  it('should report a gap when the history is inconsistent, and still return the steps', async () => {
    // given
    const forged = events.map((event): RunEvent => (event.seq === 3 ? { ...event, elementId: 'again' } : event));
    const timeline = new RunTimeline();
    const others = {
      ...sources,
      events: async (after: number, limit: number) => Promise.resolve(forged.slice(after, after + limit)),
    };

    // when
    const moment = await timeline.at(1_500, others);

    // then
    expect(moment.gap).to.include({ code: 'differs', seq: 3 });
    expect([moment.replayed, moment.steps.seq]).to.deep.equal([undefined, 1_500]);
    expect(await timeline.at(1_500, others)).to.deep.include({ gap: moment.gap });
  });

  it('should report a gap when the workflow version is missing', async () => {
    const moment = await new RunTimeline().at(10, { ...sources, graph: async () => Promise.resolve(undefined) });
    expect(moment.gap).to.include({ code: 'version_missing', seq: 1 });
  });
});

import { expect } from 'chai';
import { judgeTrace } from './judge-trace.js';
import type { TracedCase } from './material.js';
import { tracedCase } from './models.spec.support.js';
import type { Execution, Observation } from './observed.js';

function done(...markers: readonly string[]): Execution[] {
  return markers.map((marker, index) => ({
    marker,
    runId: 'run',
    at: '2026-11-21T12:00:00.000Z',
    enteredSeq: index + 1,
  }));
}

function found(more: Partial<Observation> = {}): Observation {
  return { status: 'completed', error: null, incidentsBeside: [], executions: done('one', 'two'), ...more };
}

const uncaught = {
  status: 'failed',
  error: { code: 'uncaught_error', message: 'Nothing catches the error ERR-1.' },
} as const;
const failing = { expectedStatus: 'failed', expectedError: { kind: 'uncaught-bpmn-error', code: 'ERR-1' } } as const;

describe('judgeTrace', () => {
  const right: Record<string, [Partial<TracedCase>, Partial<Observation>]> = {
    'the expected trace': [{}, {}],
    'ignored and required markers': [
      { requiredMarkers: ['start'], ignoredMarkers: ['start'] },
      { executions: done('start', 'one', 'two') },
    ],
    'optional markers': [{ optionalMarkers: ['three'] }, { executions: done('one', 'three', 'two') }],
    'set markers that occur twice': [{ setMarkers: ['one'] }, { executions: done('one', 'one', 'two') }],
    'markers that occur before all others': [
      { expectedTrace: ['one', 'one', 'two'], allBefore: [['one', 'two']] },
      { executions: done('one', 'one', 'two') },
    ],
    'the expected error': [failing, uncaught],
  };
  for (const [title, [expected, observed]] of Object.entries(right)) {
    it(`should report no difference for ${title}`, () => {
      expect(judgeTrace(tracedCase(expected), found(observed))).to.deep.equal([]);
    });
  }

  const wrong: Record<string, [Partial<TracedCase>, Partial<Observation>]> = {
    'a missing marker': [{}, { executions: done('one') }],
    'a marker that occurs twice': [{}, { executions: done('one', 'two', 'two') }],
    'an unexpected marker': [{}, { executions: done('one', 'two', 'three') }],
    'a missing set marker': [{ setMarkers: ['two'] }, { executions: done('one') }],
    'a missing required marker': [{ requiredMarkers: ['start'], ignoredMarkers: ['start'] }, {}],
    'markers in the wrong order': [{}, { executions: done('two', 'one') }],
    'a repeated marker that occurs too late': [
      { expectedTrace: ['one', 'one', 'two'], allBefore: [['one', 'two']] },
      { executions: done('one', 'two', 'one') },
    ],
    'a run that waits': [{}, { status: 'waits' }],
    'a run that has failed': [{}, uncaught],
    'a run that should have failed': [failing, {}],
    'a run that should wait': [{ expectedStatus: 'waits' }, {}],
    'a different error': [
      failing,
      { ...uncaught, error: { code: 'uncaught_error', message: 'Nothing catches the error ERR-2.' } },
    ],
    'a missing error': [failing, { ...uncaught, error: null }],
    'another error than that no outgoing flow is enabled': [
      { expectedStatus: 'failed', expectedError: { kind: 'no-outgoing-flow-enabled' } },
      uncaught,
    ],
    'an error in another run': [{}, { incidentsBeside: ['called: failed'] }],
  };
  for (const [title, [expected, observed]] of Object.entries(wrong)) {
    it(`should report a difference for ${title}`, () => {
      expect(judgeTrace(tracedCase(expected), found(observed))).not.to.deep.equal([]);
    });
  }

  it('should order markers of different runs by their timestamps', () => {
    // given
    const [one, two] = done('one', 'two').map((execution) => ({ ...execution, runId: execution.marker }));
    const later = '2026-11-21T12:00:00.001Z';

    // then
    expect(judgeTrace(tracedCase(), found({ executions: [one!, { ...two!, at: later }] }))).to.deep.equal([]);
    expect(judgeTrace(tracedCase(), found({ executions: [{ ...one!, at: later }, two!] }))).to.have.length(1);
  });

  it('should throw for an unknown trace mode', () => {
    expect(() => judgeTrace(tracedCase({ traceMode: 'sequence' }), found())).to.throw('sequence');
  });
});

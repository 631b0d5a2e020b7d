import { expect } from 'chai';
import { judgeTrace } from './judge-trace.js';
import type { TracedCase } from './material.js';
import { buildTracedCase } from './models.spec.support.js';
import type { Execution, Observation } from './observation.js';

function buildExecutions(...markers: readonly string[]): Execution[] {
  return markers.map((marker, index) => ({
    marker,
    runId: 'run',
    startedAt: '2026-11-21T12:00:00.000Z',
    enteredSeq: index + 1,
  }));
}

function buildObservation(overrides: Partial<Observation> = {}): Observation {
  return {
    status: 'completed',
    error: null,
    errorsInOtherRuns: [],
    executions: buildExecutions('one', 'two'),
    ...overrides,
  };
}

const UNCAUGHT_ERROR_RUN = {
  status: 'failed',
  error: { code: 'uncaught_error', message: 'Nothing catches the error ERR-1.' },
} as const;
const EXPECTED_FAILURE = {
  expectedStatus: 'failed',
  expectedError: { kind: 'uncaught-bpmn-error', code: 'ERR-1' },
} as const;

describe('judgeTrace', () => {
  const casesWithoutDifference: Record<string, [Partial<TracedCase>, Partial<Observation>]> = {
    'the expected trace': [{}, {}],
    'ignored and required markers': [
      { requiredMarkers: ['start'], ignoredMarkers: ['start'] },
      { executions: buildExecutions('start', 'one', 'two') },
    ],
    'optional markers': [{ optionalMarkers: ['three'] }, { executions: buildExecutions('one', 'three', 'two') }],
    'set markers that occur twice': [{ setMarkers: ['one'] }, { executions: buildExecutions('one', 'one', 'two') }],
    'a repeated marker that always occurs before another marker': [
      { expectedTrace: ['one', 'one', 'two'], allBefore: [['one', 'two']] },
      { executions: buildExecutions('one', 'one', 'two') },
    ],
    'the expected error': [EXPECTED_FAILURE, UNCAUGHT_ERROR_RUN],
  };
  for (const [title, [expected, observed]] of Object.entries(casesWithoutDifference)) {
    it(`should report no difference for ${title}`, () => {
      expect(judgeTrace(buildTracedCase(expected), buildObservation(observed))).to.deep.equal([]);
    });
  }

  const casesWithDifference: Record<string, [Partial<TracedCase>, Partial<Observation>]> = {
    'a missing marker': [{}, { executions: buildExecutions('one') }],
    'a marker that occurs twice': [{}, { executions: buildExecutions('one', 'two', 'two') }],
    'an unexpected marker': [{}, { executions: buildExecutions('one', 'two', 'three') }],
    'a missing set marker': [{ setMarkers: ['two'] }, { executions: buildExecutions('one') }],
    'a missing required marker': [{ requiredMarkers: ['start'], ignoredMarkers: ['start'] }, {}],
    'markers in the wrong order': [{}, { executions: buildExecutions('two', 'one') }],
    'a repeated marker that occurs too late': [
      { expectedTrace: ['one', 'one', 'two'], allBefore: [['one', 'two']] },
      { executions: buildExecutions('one', 'two', 'one') },
    ],
    'a run that waits': [{}, { status: 'waits' }],
    'a run that has failed': [{}, UNCAUGHT_ERROR_RUN],
    'a run that should have failed': [EXPECTED_FAILURE, {}],
    'a run that should wait': [{ expectedStatus: 'waits' }, {}],
    'a different error': [
      EXPECTED_FAILURE,
      { ...UNCAUGHT_ERROR_RUN, error: { code: 'uncaught_error', message: 'Nothing catches the error ERR-2.' } },
    ],
    'a missing error': [EXPECTED_FAILURE, { ...UNCAUGHT_ERROR_RUN, error: null }],
    'an error other than no-outgoing-flow-enabled': [
      { expectedStatus: 'failed', expectedError: { kind: 'no-outgoing-flow-enabled' } },
      UNCAUGHT_ERROR_RUN,
    ],
    'an error in another run': [{}, { errorsInOtherRuns: ['called: failed'] }],
  };
  for (const [title, [expected, observed]] of Object.entries(casesWithDifference)) {
    it(`should report a difference for ${title}`, () => {
      expect(judgeTrace(buildTracedCase(expected), buildObservation(observed))).not.to.deep.equal([]);
    });
  }

  it('should order markers of different runs by their timestamps', () => {
    // given
    const [one, two] = buildExecutions('one', 'two').map((execution) => ({ ...execution, runId: execution.marker }));
    const later = '2026-11-21T12:00:00.001Z';

    // then
    expect(
      judgeTrace(buildTracedCase(), buildObservation({ executions: [one!, { ...two!, startedAt: later }] })),
    ).to.deep.equal([]);
    expect(
      judgeTrace(buildTracedCase(), buildObservation({ executions: [{ ...one!, startedAt: later }, two!] })),
    ).to.have.length(1);
  });

  it('should throw for an unknown trace mode', () => {
    expect(() => judgeTrace(buildTracedCase({ traceMode: 'sequence' }), buildObservation())).to.throw('sequence');
  });
});

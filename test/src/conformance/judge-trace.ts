import type { TracedCase } from './material.js';
import { countValues, describeDifferences } from './multiset.js';
import type { Execution, Observation } from './observation.js';

/** Countersign error codes by the kind of error in the cases. */
const CODES_BY_KIND: Readonly<Record<string, readonly string[]>> = {
  'no-outgoing-flow-enabled': ['no_flow_selected'],
};

/** Returns one sentence for each difference between a run and its case. */
export function judgeTrace(expected: TracedCase, observation: Observation): string[] {
  if (expected.traceMode !== 'multiset') throw new Error(`The trace mode "${expected.traceMode}" is not known.`);
  return [
    ...judgeStatus(expected, observation),
    ...judgeMarkers(expected, observation.executions),
    ...judgeOrder(expected, observation.executions),
  ];
}

function judgeStatus(expected: TracedCase, observation: Observation): string[] {
  const { expectedStatus, expectedError } = expected;
  if (observation.status !== expectedStatus) {
    const reason = observation.error === null ? '' : ` (${observation.error.code}: ${observation.error.message})`;
    return [`Expected status ${expectedStatus}, found ${observation.status}${reason}.`];
  }
  if (expectedStatus !== 'failed')
    return observation.errorsInOtherRuns.map((incident) => `Another run is in error: ${incident}.`);
  if (expectedError === undefined || isExpectedError(expectedError, observation.error)) return [];
  return [`Expected the error ${JSON.stringify(expectedError)}, found ${JSON.stringify(observation.error)}.`];
}

function isExpectedError(
  { kind, code }: NonNullable<TracedCase['expectedError']>,
  error: Observation['error'],
): boolean {
  if (error === null) return false;
  if (code !== undefined) return error.code === code || error.message.includes(code);
  return CODES_BY_KIND[kind]?.includes(error.code) ?? true;
}

function judgeMarkers(expected: TracedCase, executions: readonly Execution[]): string[] {
  const all = executions.map(({ marker }) => marker);
  const missingMarkers = expected.requiredMarkers
    .filter((marker) => !all.includes(marker))
    .map((marker) => `The marker "${marker}" is missing.`);
  const optional = expected.optionalMarkers.filter((marker) => !expected.expectedTrace.includes(marker));
  const allowedMarkers = new Set([...expected.ignoredMarkers, ...optional]);
  const trace = all.filter((marker) => !allowedMarkers.has(marker));
  const collapseSetMarkers = (markers: readonly string[]): string[] => [
    ...markers.filter((marker) => !expected.setMarkers.includes(marker)),
    ...expected.setMarkers.filter((marker) => markers.includes(marker)),
  ];
  return [
    ...missingMarkers,
    ...describeDifferences(
      countValues(collapseSetMarkers(expected.expectedTrace)),
      countValues(collapseSetMarkers(trace)),
      'Marker',
    ),
  ];
}

/** Checks the order of the markers. Ignores missing markers, which `judgeMarkers` reports. */
function judgeOrder({ happensBefore, allBefore }: TracedCase, executions: readonly Execution[]): string[] {
  const executionsOfMarker = (marker: string): Execution[] => executions.filter((each) => each.marker === marker);
  const happensBeforeErrors = happensBefore.filter(([first, second]) => {
    const [earlier, later] = [executionsOfMarker(first), executionsOfMarker(second)];
    return earlier.length > 0 && !earlier.some((each) => later.every((other) => precedes(each, other)));
  });
  const allBeforeErrors = allBefore.filter(([first, second]) =>
    executionsOfMarker(first).some((each) => executionsOfMarker(second).some((other) => !precedes(each, other))),
  );
  return [
    ...happensBeforeErrors.map(([first, second]) => `Marker "${first}" does not come before "${second}".`),
    ...allBeforeErrors.map(([first, second]) => `Not every marker "${first}" comes before "${second}".`),
  ];
}

/**
 * Returns whether an execution precedes another one: compares their times or, if both are in the same run at the same
 * time, their positions in the history.
 */
function precedes(first: Execution, second: Execution): boolean {
  if (first.startedAt !== second.startedAt || first.runId !== second.runId) return first.startedAt <= second.startedAt;
  return first.enteredSeq < second.enteredSeq;
}

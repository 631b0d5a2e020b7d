import type { TracedCase } from './material.js';
import { countOf, differencesOf } from './multiset.js';
import type { Execution, Observation } from './observed.js';

/** Our error codes for the kinds of errors in the cases. */
const CODES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  'no-outgoing-flow-enabled': ['no_flow_selected'],
};

/** Returns every difference between a run and its case, in words. */
export function judgeTrace(expected: TracedCase, found: Observation): string[] {
  if (expected.traceMode !== 'multiset') throw new Error(`The trace mode "${expected.traceMode}" is not known.`);
  return [
    ...judgeStatus(expected, found),
    ...judgeMarkers(expected, found.executions),
    ...judgeOrder(expected, found.executions),
  ];
}

function judgeStatus(expected: TracedCase, found: Observation): string[] {
  const { expectedStatus, expectedError } = expected;
  if (found.status !== expectedStatus) {
    const why = found.error === null ? '' : ` (${found.error.code}: ${found.error.message})`;
    return [`Expected status ${expectedStatus}, found ${found.status}${why}.`];
  }
  if (expectedStatus !== 'failed')
    return found.incidentsBeside.map((incident) => `Another run is in error: ${incident}.`);
  if (expectedError === undefined || isExpected(expectedError, found.error)) return [];
  return [`Expected the error ${JSON.stringify(expectedError)}, found ${JSON.stringify(found.error)}.`];
}

function isExpected({ kind, code }: NonNullable<TracedCase['expectedError']>, error: Observation['error']): boolean {
  if (error === null) return false;
  if (code !== undefined) return error.code === code || error.message.includes(code);
  return CODES_OF_KIND[kind]?.includes(error.code) ?? true;
}

function judgeMarkers(expected: TracedCase, executions: readonly Execution[]): string[] {
  const all = executions.map(({ marker }) => marker);
  const missing = expected.requiredMarkers
    .filter((marker) => !all.includes(marker))
    .map((marker) => `The marker "${marker}" is missing.`);
  const optional = expected.optionalMarkers.filter((marker) => !expected.expectedTrace.includes(marker));
  const left = new Set([...expected.ignoredMarkers, ...optional]);
  const trace = all.filter((marker) => !left.has(marker));
  const once = (markers: readonly string[]): string[] => [
    ...markers.filter((marker) => !expected.setMarkers.includes(marker)),
    ...expected.setMarkers.filter((marker) => markers.includes(marker)),
  ];
  return [...missing, ...differencesOf(countOf(once(expected.expectedTrace)), countOf(once(trace)), 'Marker')];
}

/** Missing markers are already reported. */
function judgeOrder({ happensBefore, allBefore }: TracedCase, executions: readonly Execution[]): string[] {
  const of = (marker: string): Execution[] => executions.filter((each) => each.marker === marker);
  const some = happensBefore.filter(([first, second]) => {
    const [earlier, later] = [of(first), of(second)];
    return earlier.length > 0 && !earlier.some((each) => later.every((other) => precedes(each, other)));
  });
  const every = allBefore.filter(([first, second]) =>
    of(first).some((each) => of(second).some((other) => !precedes(each, other))),
  );
  return [
    ...some.map(([first, second]) => `Marker "${first}" does not come before "${second}".`),
    ...every.map(([first, second]) => `Not every marker "${first}" comes before "${second}".`),
  ];
}

/** Compares positions in the history within a run, and times between runs. */
function precedes(one: Execution, other: Execution): boolean {
  if (one.at !== other.at || one.runId !== other.runId) return one.at <= other.at;
  return one.enteredSeq < other.enteredSeq;
}

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@countersign/core/plugin';
import type { ObservedRun } from './side.js';

/** Result variable of approvals, which only Countersign writes. */
const OUR_VARIABLES: ReadonlySet<string> = new Set(['approval']);

/** Returns the differences between the runs of one case; empty if the engines agree. */
export function compareRuns(allOurRuns: readonly ObservedRun[], allZeebeRuns: readonly ObservedRun[]): string[] {
  const processes = [...new Set([...allOurRuns, ...allZeebeRuns].map(({ processId }) => processId))];
  return processes.flatMap((processId) => {
    const ourRuns = allOurRuns.filter((run) => run.processId === processId);
    const zeebeRuns = allZeebeRuns.filter((run) => run.processId === processId);
    if (ourRuns.length !== zeebeRuns.length)
      return [`runs of "${processId}": ours ${ourRuns.length}, Zeebe ${zeebeRuns.length}`];
    return ourRuns.flatMap((run, index) => {
      const zeebeRun = zeebeRuns[index];
      const name = ourRuns.length === 1 ? processId : `${processId}#${index + 1}`;
      return zeebeRun === undefined ? [] : compareRun(run, zeebeRun).map((each) => `${name}: ${each}`);
    });
  });
}

function compareRun(ours: ObservedRun, zeebe: ObservedRun): string[] {
  return [
    ...describeDifference('status', ours.status, zeebe.status),
    ...compareOrder(ours, zeebe),
    ...describeDifference('ended before their time', [...ours.terminated].sort(), [...zeebe.terminated].sort()),
    ...describeDifference('incidents', [...ours.incidents].sort(), [...zeebe.incidents].sort()),
    ...compareVariables(ours.variables, zeebe.variables),
  ];
}

function compareOrder(ours: ObservedRun, zeebe: ObservedRun): string[] {
  const scopes = new Set([...Object.keys(ours.completed), ...Object.keys(zeebe.completed)]);
  return [...scopes].flatMap((scope) =>
    describeDifference(`order in ${scope}`, ours.completed[scope] ?? [], zeebe.completed[scope] ?? []),
  );
}

function compareVariables(ours: JsonObject, zeebe: JsonObject): string[] {
  const names = new Set([...Object.keys(ours), ...Object.keys(zeebe)].filter((name) => !OUR_VARIABLES.has(name)));
  return [...names].sort().flatMap((name) => describeDifference(`variable ${name}`, ours[name], zeebe[name]));
}

function describeDifference(label: string, ours: unknown, zeebe: unknown): string[] {
  return isDeepStrictEqual(ours, zeebe) ? [] : [`${label}: ours ${formatValue(ours)}, Zeebe ${formatValue(zeebe)}`];
}

function formatValue(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

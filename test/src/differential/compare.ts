import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@countersign/core/plugin';
import type { ObservedRun } from './side.js';

/** Result variable of approvals, which only Countersign writes. */
const OUR_VARIABLES: ReadonlySet<string> = new Set(['approval']);

/** Returns the differences between the runs of one case; empty if the engines agree. */
export function compareRuns(ours: readonly ObservedRun[], zeebes: readonly ObservedRun[]): string[] {
  const processes = [...new Set([...ours, ...zeebes].map(({ processId }) => processId))];
  return processes.flatMap((processId) => {
    const mine = ours.filter((run) => run.processId === processId);
    const theirs = zeebes.filter((run) => run.processId === processId);
    if (mine.length !== theirs.length) return [`runs of "${processId}": ours ${mine.length}, Zeebe ${theirs.length}`];
    return mine.flatMap((run, index) => {
      const other = theirs[index];
      const name = mine.length === 1 ? processId : `${processId}#${index + 1}`;
      return other === undefined ? [] : compareRun(run, other).map((each) => `${name}: ${each}`);
    });
  });
}

function compareRun(ours: ObservedRun, zeebe: ObservedRun): string[] {
  return [
    ...different('status', ours.status, zeebe.status),
    ...compareOrder(ours, zeebe),
    ...different('ended before their time', [...ours.terminated].sort(), [...zeebe.terminated].sort()),
    ...different('incidents', [...ours.incidents].sort(), [...zeebe.incidents].sort()),
    ...compareVariables(ours.variables, zeebe.variables),
  ];
}

function compareOrder(ours: ObservedRun, zeebe: ObservedRun): string[] {
  const scopes = new Set([...Object.keys(ours.completed), ...Object.keys(zeebe.completed)]);
  return [...scopes].flatMap((scope) =>
    different(`order in ${scope}`, ours.completed[scope] ?? [], zeebe.completed[scope] ?? []),
  );
}

function compareVariables(ours: JsonObject, zeebe: JsonObject): string[] {
  const names = new Set([...Object.keys(ours), ...Object.keys(zeebe)].filter((name) => !OUR_VARIABLES.has(name)));
  return [...names].sort().flatMap((name) => different(`variable ${name}`, ours[name], zeebe[name]));
}

function different(what: string, ours: unknown, zeebe: unknown): string[] {
  return isDeepStrictEqual(ours, zeebe) ? [] : [`${what}: ours ${show(ours)}, Zeebe ${show(zeebe)}`];
}

function show(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

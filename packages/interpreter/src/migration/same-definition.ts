import type { CatchingNode, FlowNode, JobTask, Loop, Mapping, Trigger, Value } from '@countersign/model';

/** Returns whether two events have the same kinds of triggers, in the same order. */
export function hasSameTriggers(before: CatchingNode, after: CatchingNode): boolean {
  const kinds = (triggers: readonly Trigger[]): string => triggers.map((each) => each.kind).join(' ');
  return kinds(before.triggers) === kinds(after.triggers) && before.parallelMultiple === after.parallelMultiple;
}

/**
 * Returns whether instances of one loop are valid for the other unchanged (Zeebe 8.6: a loop stays parallel, or
 * sequential).
 */
export function hasSameLoop(before: FlowNode, after: FlowNode): boolean {
  return loopText(before.loop) === loopText(after.loop);
}

function loopText(loop: Loop | null): string {
  if (loop?.kind !== 'multiInstance') return loop?.kind ?? '';
  return JSON.stringify([
    loop.sequential,
    loop.inputElement,
    loop.outputCollection,
    loop.outputElement?.source ?? null,
  ]);
}

/** Returns whether a worker with the one job does exactly what it would do for the other. */
export function isSameJob(before: JobTask, after: JobTask): boolean {
  return before.id === after.id && jobText(before) === jobText(after);
}

/** Returns whether two tasks are for the same kind of worker. */
export function isOfSameType(before: JobTask, after: JobTask): boolean {
  return JSON.stringify(valueText(before.jobType)) === JSON.stringify(valueText(after.jobType));
}

function jobText(node: JobTask): string {
  const pairs = (record: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    valueText(node.jobType),
    valueText(node.retries),
    pairs(node.headers),
    pairs(node.properties),
    node.inputs.map(mappingText),
  ]);
}

function mappingText({ source, target }: Mapping): unknown {
  return [valueText(source), target];
}

function valueText(value: Value): unknown {
  return 'literal' in value ? ['literal', value.literal] : ['feel', value.expression.source];
}

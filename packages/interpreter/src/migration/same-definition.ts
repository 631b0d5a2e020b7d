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
  return serializeLoop(before.loop) === serializeLoop(after.loop);
}

function serializeLoop(loop: Loop | null): string {
  if (loop?.kind !== 'multiInstance') return loop?.kind ?? '';
  return JSON.stringify([
    loop.sequential,
    loop.inputElement,
    loop.outputCollection,
    loop.outputElement?.source ?? null,
  ]);
}

/** Returns whether a worker would do exactly the same work for both jobs. */
export function isSameJob(before: JobTask, after: JobTask): boolean {
  return before.id === after.id && serializeJob(before) === serializeJob(after);
}

/** Returns whether two tasks are for the same kind of worker. */
export function hasSameJobType(before: JobTask, after: JobTask): boolean {
  return JSON.stringify(serializeValue(before.jobType)) === JSON.stringify(serializeValue(after.jobType));
}

function serializeJob(node: JobTask): string {
  const sortedEntries = (record: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    serializeValue(node.jobType),
    serializeValue(node.retries),
    sortedEntries(node.headers),
    sortedEntries(node.properties),
    node.inputs.map(serializeMapping),
  ]);
}

function serializeMapping({ source, target }: Mapping): unknown {
  return [serializeValue(source), target];
}

function serializeValue(value: Value): unknown {
  return 'literal' in value ? ['literal', value.literal] : ['feel', value.expression.source];
}

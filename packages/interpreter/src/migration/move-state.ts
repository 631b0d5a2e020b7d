import type { Compensation, ElementInstance, RunState, Wait } from '@countersign/model';
import type { Execution } from '../execution.js';
import { findCounterpartFlow } from './check-joins.js';
import type { ElementMapping } from './element-mapping.js';
import type { EventPlan } from './plan-events.js';

/**
 * Replaces the element ids in the state with those of the target. Other ids, waits, due dates, variables, counters and
 * tokens at joins stay unchanged.
 */
export function* moveState(
  execution: Execution,
  mapping: ElementMapping,
  plans: readonly EventPlan[],
): Generator<void, void> {
  const targetEventIds = new Map(plans.flatMap((plan) => [...plan.keptWaits]));
  for (const instance of execution.getInstances()) {
    execution.put(moveInstance(mapping, instance, targetEventIds));
    yield;
  }
  execution.replaceRisks(moveRisks(mapping, execution.risks.all()));
}

function moveInstance(
  mapping: ElementMapping,
  instance: ElementInstance,
  targetEventIds: ReadonlyMap<Wait, string>,
): ElementInstance {
  const { joins, resets, iterations, rounds, waits, compensations, compensating, undoes } = instance;
  const elementId = mapping.findTargetId(instance.elementId) ?? instance.elementId;
  const createFlowMapper = (gateway: string) => (flow: string) => {
    const [before, after] = [mapping.source.nodes.get(gateway), mapping.findTargetNode(gateway)];
    return (
      (before !== undefined && after !== undefined ? findCounterpartFlow(mapping, before, after, flow) : undefined) ??
      flow
    );
  };
  const moveWait = (wait: Wait): Wait =>
    'elementId' in wait
      ? {
          ...wait,
          elementId: targetEventIds.get(wait) ?? (wait.elementId === instance.elementId ? elementId : wait.elementId),
        }
      : wait;
  return {
    ...instance,
    elementId,
    ...(joins === undefined
      ? {}
      : { joins: moveRecord(mapping, joins, (tokens, id) => renameKeys(tokens, createFlowMapper(id))) }),
    ...(resets === undefined
      ? {}
      : { resets: moveRecord(mapping, resets, (taken, id) => taken.map(createFlowMapper(id))) }),
    ...(iterations === undefined ? {} : { iterations: moveIterations(mapping, iterations) }),
    ...(rounds === undefined ? {} : { rounds: renameKeys(rounds, (name) => moveRoundName(mapping, name)) }),
    ...(waits === undefined ? {} : { waits: waits.map(moveWait) }),
    ...(compensations === undefined
      ? {}
      : { compensations: compensations.map((each) => moveCompensation(mapping, each)) }),
    ...(undoes === undefined
      ? {}
      : { undoes: { ...undoes, elementId: mapping.findTargetId(undoes.elementId) ?? undoes.elementId } }),
    ...(compensating === undefined
      ? {}
      : {
          compensating: { ...compensating, queue: compensating.queue.map((each) => moveCompensation(mapping, each)) },
        }),
  };
}

function moveCompensation<T extends Pick<Compensation, 'elementId' | 'handler' | 'inner'>>(
  mapping: ElementMapping,
  record: T,
): T {
  const { elementId, handler, inner } = record;
  return {
    ...record,
    elementId: mapping.findTargetId(elementId) ?? elementId,
    handler: handler === null ? null : (mapping.findTargetId(handler) ?? handler),
    ...(inner === undefined ? {} : { inner: inner.map((each) => moveCompensation(mapping, each)) }),
  };
}

/** Replaces the element ids of the risks. The risk of an element without a counterpart is kept. */
function moveRisks(mapping: ElementMapping, risks: RunState['risks']): RunState['risks'] {
  return risks.map((risk) => ({ ...risk, elementId: mapping.findTargetId(risk.elementId) ?? risk.elementId }));
}

/**
 * Replaces the element ids of iteration counts. If two elements are mapped to the same one, the larger count is kept.
 */
function moveIterations(mapping: ElementMapping, iterations: Readonly<Record<string, number>>): Record<string, number> {
  const moved = new Map<string, number>();
  for (const [id, count] of Object.entries(iterations)) {
    const to = mapping.findTargetId(id) ?? id;
    moved.set(to, Math.max(count, moved.get(to) ?? 0));
  }
  return Object.fromEntries(moved);
}

/** Replaces the element id in the name of a round: `approve`, or `approve#2` in a loop. */
function moveRoundName(mapping: ElementMapping, name: string): string {
  const separatorIndex = name.lastIndexOf('#');
  const elementId = separatorIndex === -1 ? name : name.slice(0, separatorIndex);
  return `${mapping.findTargetId(elementId) ?? elementId}${separatorIndex === -1 ? '' : name.slice(separatorIndex)}`;
}

function moveRecord<T>(
  mapping: ElementMapping,
  record: Readonly<Record<string, T>>,
  move: (value: T, id: string) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).map(([id, value]) => [mapping.findTargetId(id) ?? id, move(value, id)]),
  );
}

function renameKeys<T>(record: Readonly<Record<string, T>>, rename: (key: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
}

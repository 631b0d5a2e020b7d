import type { Trigger } from './event-definitions.js';
import type { JsonObject } from './json.js';
import type { FlowNode, Value, WorkflowGraph } from './workflow-graph.js';

export const RUN_START_KINDS = Object.freeze(['none', 'message', 'signal', 'timer', 'condition'] as const);
export type RunStartKind = (typeof RUN_START_KINDS)[number];

/** An element at which runs of a workflow start (BPMN 2.0, table 10.84). */
export interface RunStart {
  /** A start event, a receive task that starts runs, or an event after such an event-based gateway. */
  readonly elementId: string;
  /** `none`: started by a request or a call activity. */
  readonly kind: RunStartKind;
  /** The name of the message or signal, the time, or the condition, as in the BPMN model; `null` for `none`. */
  readonly value: string | null;
}

/**
 * Returns whether a request, or the call activity of another run, can start a run: this needs a start event without a
 * trigger.
 */
export function isStartableByRequest(graph: WorkflowGraph): boolean {
  return (graph.scopes.get(graph.workflowId)?.noneStartEvents.length ?? 0) > 0;
}

/**
 * Returns the elements at which runs of a workflow start: first the start events without a trigger, then the others,
 * each in document order.
 */
export function listRunStarts(graph: WorkflowGraph): readonly RunStart[] {
  const scope = graph.scopes.get(graph.workflowId);
  const noneStarts = (scope?.noneStartEvents ?? []).map((elementId): RunStart => ({
    elementId,
    kind: 'none',
    value: null,
  }));
  return [
    ...noneStarts,
    ...(scope?.triggeredStartEvents ?? []).flatMap((elementId) => listStartsAt(graph, graph.nodes.get(elementId))),
  ];
}

function listStartsAt(graph: WorkflowGraph, node: FlowNode | undefined): RunStart[] {
  if (node === undefined) return [];
  if (node.kind === 'eventGateway')
    return node.outgoing.flatMap(({ targetId }) => listStartsAt(graph, graph.nodes.get(targetId)));
  return 'triggers' in node ? node.triggers.flatMap((trigger) => toRunStarts(node.id, trigger)) : [];
}

function toRunStarts(elementId: string, trigger: Trigger): RunStart[] {
  switch (trigger.kind) {
    case 'message':
      return [{ elementId, kind: 'message', value: formatValue(trigger.messageName) }];
    case 'signal':
      return [{ elementId, kind: 'signal', value: formatValue(trigger.signalName) }];
    case 'timer':
      return [{ elementId, kind: 'timer', value: formatValue(trigger.value) }];
    case 'condition':
      return [{ elementId, kind: 'condition', value: trigger.condition.source }];
    default:
      return [];
  }
}

/**
 * Returns the text of a value. Message names are usually literals. For an expression that is only a string literal, the
 * text is that string.
 */
function formatValue(value: Value): string {
  if ('literal' in value) return value.literal;
  const { source } = value.expression;
  return /^\s*"([^"\\]*)"\s*$/.exec(source)?.[1] ?? `=${source}`;
}

/** Returns an error message that explains why a request cannot start a workflow, with the elements that start it. */
export function explainNotStartable(
  graph: WorkflowGraph,
  version: number,
): { readonly message: string; readonly details: JsonObject } {
  const starts = listRunStarts(graph);
  const problem = `Version ${version} of workflow "${graph.workflowId}" has no start event without a trigger, so neither a request nor a call activity can start it.`;
  const alternatives = starts.length === 0 ? 'Nothing starts it.' : `It is started by ${describeStarts(starts)}.`;
  return { message: `${problem} ${alternatives}`, details: { starts: starts.map((start) => ({ ...start })) } };
}

function describeStarts(starts: readonly RunStart[]): string {
  const each = starts.map(({ kind, value }) => {
    if (kind === 'condition') return `the condition ${value ?? ''}`;
    return `the ${kind} ${kind === 'timer' ? (value ?? '') : `"${value ?? ''}"`}`;
  });
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(each);
}

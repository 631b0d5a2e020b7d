import type { CompileContext } from './compile-context.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { isActivity, isInstantiating, isNoneStart, isTriggeredStart } from './node-kinds.js';

/** Checks the start events and the content of a process or of a sub-process of any kind. */
export function checkScope(context: CompileContext, scope: ScopeDraft): void {
  const nodes = [...scope.nodes.values()];
  if (scope.kind !== 'process') checkNotInstantiating(context, nodes);
  switch (scope.kind) {
    case 'process':
      checkProcess(context, scope, nodes);
      break;
    case 'eventSubProcess':
      checkEventSubProcess(context, scope, nodes);
      break;
    case 'adHocSubProcess':
      checkAdHoc(context, scope, nodes);
      break;
    default:
      checkSubProcess(context, scope, nodes);
  }
}

/** Checks the start events of a process. Zeebe, ProcessValidator: at least one, at most one without a trigger. */
function checkProcess(context: CompileContext, scope: ScopeDraft, nodes: readonly NodeDraft[]): void {
  if (!nodes.some((node) => isNoneStart(node) || isTriggeredStart(node))) {
    context.problems.add(scope.id, 'missing_start_event', 'The process needs a start event.');
  }
  reportExtraStartEvents(context, nodes.filter(isNoneStart), 'without a trigger');
  for (const node of nodes.filter(isInstantiating)) {
    // The node completes when the run starts, so a boundary event could never occur and a loop could never repeat it.
    const message = `This ${node.type} starts runs (instantiate), so it cannot have a loop marker or boundary events.`;
    if (node.element['loopCharacteristics'] !== undefined) context.problems.add(node.id, 'unexpected_loop', message);
    for (const boundary of node.boundaryEvents) context.problems.add(boundary.id, 'unexpected_boundary', message);
  }
}

/**
 * Checks the start event of an embedded sub-process, which starts when a token arrives (BPMN 2.0, 10.3.5; Zeebe,
 * SubProcessValidator).
 */
function checkSubProcess(context: CompileContext, scope: ScopeDraft, nodes: readonly NodeDraft[]): void {
  const starts = nodes.filter((node) => node.type === 'startEvent');
  if (starts.length === 0) {
    context.problems.add(scope.id, 'missing_start_event', 'A sub-process needs a start event without a trigger.');
  }
  reportExtraStartEvents(context, starts, 'in a sub-process');
  for (const start of starts) {
    if (isNoneStart(start)) continue;
    const message =
      'The start event of a sub-process cannot have a trigger; only an event sub-process is started by a trigger.';
    context.problems.add(start.id, 'unexpected_trigger', message);
  }
}

/**
 * Checks an event sub-process. BPMN 2.0, 10.3.5 "Event Sub-Process": it has one start event, with a trigger, and is not
 * part of the surrounding flow.
 */
function checkEventSubProcess(context: CompileContext, scope: ScopeDraft, nodes: readonly NodeDraft[]): void {
  const { problems } = context;
  const starts = nodes.filter((node) => node.type === 'startEvent');
  if (starts.length === 0) {
    problems.add(scope.id, 'missing_start_event', 'An event sub-process needs a start event with a trigger.');
  }
  reportExtraStartEvents(context, starts, 'in an event sub-process');
  for (const start of starts.filter(isNoneStart)) {
    const message = 'The start event of an event sub-process needs a trigger; without one it would never start.';
    problems.add(start.id, 'missing_trigger', message);
  }
  for (const boundary of scope.parent?.nodes.get(scope.id)?.boundaryEvents ?? []) {
    const message = `This boundary event is attached to event sub-process "${scope.id}", which is not part of the flow and cannot have boundary events.`;
    problems.add(boundary.id, 'unexpected_boundary', message);
  }
}

/**
 * Checks an ad-hoc sub-process. BPMN 2.0, 10.3.5 "Ad-Hoc Sub-Process": it has activities, and neither start nor end
 * events.
 */
function checkAdHoc(context: CompileContext, scope: ScopeDraft, nodes: readonly NodeDraft[]): void {
  const { problems } = context;
  if (!nodes.some(isActivity)) {
    problems.add(scope.id, 'missing_activity', 'An ad-hoc sub-process needs at least one activity.');
  }
  for (const node of nodes) {
    if (node.type !== 'startEvent' && node.type !== 'endEvent') continue;
    problems.add(node.id, 'unexpected_event', 'An ad-hoc sub-process cannot have start or end events.');
  }
}

function checkNotInstantiating(context: CompileContext, nodes: readonly NodeDraft[]): void {
  for (const node of nodes.filter(isInstantiating)) {
    const message = `A ${node.type} inside a sub-process cannot start runs (instantiate).`;
    context.problems.add(node.id, 'unexpected_instantiate', message);
  }
}

function reportExtraStartEvents(context: CompileContext, starts: readonly NodeDraft[], qualifier: string): void {
  for (const extra of starts.slice(1)) {
    const message = `A second start event ${qualifier} is not allowed (the first one is "${starts[0]?.id ?? ''}").`;
    context.problems.add(extra.id, 'several_start_events', message);
  }
}

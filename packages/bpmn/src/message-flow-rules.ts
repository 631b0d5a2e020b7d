import type { FileContext } from './compile-context.js';
import { getElement, getElements, getId, getTag, type ModdleElement } from './moddle.js';

/**
 * Flow nodes that can only receive messages (`RECEIVING_TAGS`) or only send them (`SENDING_TAGS`): BPMN 2.0, table 7.4.
 */
const RECEIVING_TAGS: ReadonlySet<string> = new Set([
  'startEvent',
  'intermediateCatchEvent',
  'boundaryEvent',
  'receiveTask',
]);
const SENDING_TAGS: ReadonlySet<string> = new Set(['endEvent', 'intermediateThrowEvent', 'sendTask']);

/**
 * Checks message flows. They are not executed (messages are correlated by name and key), but each must lead from an
 * element that can send messages to an element that can receive them.
 */
export function checkMessageFlows(context: FileContext, collaboration: ModdleElement): void {
  for (const flow of getElements(collaboration, 'messageFlows')) {
    const source = getElement(flow, 'sourceRef');
    const target = getElement(flow, 'targetRef');
    if (source !== undefined && RECEIVING_TAGS.has(getTag(source)))
      reportProblem(context, flow, source, 'cannot send messages', 'from');
    for (const [end, direction] of [
      [source, 'from'],
      [target, 'to'],
    ] as const) {
      if (end !== undefined && !canExchangeMessages(getTag(end)))
        reportProblem(
          context,
          flow,
          end,
          'cannot send or receive messages: only pools, activities and events can',
          direction,
        );
    }
    if (target !== undefined && SENDING_TAGS.has(getTag(target)))
      reportProblem(context, flow, target, 'cannot receive messages', 'to');
  }
}

/** Returns whether message flows may connect an element (BPMN 2.0, table 7.4). */
function canExchangeMessages(tag: string): boolean {
  return (
    tag === 'participant' || tag === 'callActivity' || tag === 'transaction' || /(?:task|subProcess|event)$/i.test(tag)
  );
}

function reportProblem(
  context: FileContext,
  flow: ModdleElement,
  end: ModdleElement,
  reason: string,
  direction: 'from' | 'to',
): void {
  const message = `A message flow (${getId(flow) ?? '?'}) leads ${direction} this ${getTag(end)}, which ${reason}.`;
  context.problems.add(getId(end) ?? getId(flow), 'impossible_message_flow', message);
}

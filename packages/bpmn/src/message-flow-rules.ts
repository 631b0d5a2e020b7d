import type { FileContext } from './compile-context.js';
import { elementOf, elementsOf, idOf, tagOf, type ModdleElement } from './moddle.js';

/** Flow nodes that can only receive, or only send: messages cannot flow the other way (BPMN 2.0, table 7.4). */
const RECEIVES: ReadonlySet<string> = new Set(['startEvent', 'intermediateCatchEvent', 'boundaryEvent', 'receiveTask']);
const SENDS: ReadonlySet<string> = new Set(['endEvent', 'intermediateThrowEvent', 'sendTask']);

/**
 * Checks message flows. They are not executed (messages are correlated by name and key), but they must be accurate: a
 * message goes from a sender to a receiver.
 */
export function checkMessageFlows(context: FileContext, collaboration: ModdleElement): void {
  for (const flow of elementsOf(collaboration, 'messageFlows')) {
    const source = elementOf(flow, 'sourceRef');
    const target = elementOf(flow, 'targetRef');
    if (source !== undefined && RECEIVES.has(tagOf(source))) refuse(context, flow, source, 'sends nothing', 'from');
    for (const [end, way] of [
      [source, 'from'],
      [target, 'to'],
    ] as const) {
      if (end !== undefined && !takesPart(tagOf(end)))
        refuse(context, flow, end, 'cannot send or receive messages: only pools, activities and events can', way);
    }
    if (target !== undefined && SENDS.has(tagOf(target))) refuse(context, flow, target, 'receives nothing', 'to');
  }
}

/** Returns whether message flows may connect an element (BPMN 2.0, table 7.4). */
function takesPart(tag: string): boolean {
  return (
    tag === 'participant' || tag === 'callActivity' || tag === 'transaction' || /(?:task|subProcess|event)$/i.test(tag)
  );
}

function refuse(context: FileContext, flow: ModdleElement, end: ModdleElement, why: string, way: 'from' | 'to'): void {
  const message = `A message flow (${idOf(flow) ?? '?'}) leads ${way} this ${tagOf(end)}, which ${why}.`;
  context.problems.add(idOf(end) ?? idOf(flow), 'impossible_message_flow', message);
}

import type { ElementInstance, EventGateway } from '@countersign/model';
import { subscribe } from '../events/subscribe.js';
import type { Execution } from '../execution.js';

/** Subscribes to all events after the gateway; the first one to occur takes the token (BPMN 2.0, 13.4.4). */
export function enterEventGateway(execution: Execution, node: EventGateway, instance: ElementInstance): void {
  for (const flow of node.outgoing) {
    const event = execution.node(flow.targetId);
    if (event.kind === 'catch') subscribe(execution, instance.key, event);
  }
}

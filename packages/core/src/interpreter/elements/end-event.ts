import type { ElementInstance } from '../../domain/run-state.js';
import type { EndEvent } from '../../domain/workflow-graph.js';
import { cancelInstance } from '../cancel-instance.js';
import type { Execution } from '../execution.js';
import { leaveLater } from '../tokens.js';

/** A none end event consumes its token; a terminate end event ends all else in its scope first (BPMN 2.0, 13.5.6). */
export function enterEndEvent(execution: Execution, node: EndEvent, instance: ElementInstance): void {
  if (node.throws.some((each) => each.kind === 'terminate') && instance.parent !== null) terminateScope(execution, instance.parent, instance.key);
  leaveLater(execution, instance, null);
}

function terminateScope(execution: Execution, scopeKey: number, survivor: number): void {
  for (const child of execution.children(scopeKey)) {
    if (child.key !== survivor) cancelInstance(execution, child, 'terminated');
  }
  const { joins: _dropped, ...scope } = execution.get(scopeKey);
  execution.put(scope);
  const kept = execution.agenda.filter((item) => item.type !== 'enter' || item.scope !== scopeKey);
  execution.agenda.splice(0, execution.agenda.length, ...kept);
}

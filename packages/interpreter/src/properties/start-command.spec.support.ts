import type { StartCommand, StartingEvent, WorkflowGraph } from '@countersign/model';
import { RUN_ID, user } from '../interpreter.spec.support.js';

type StartTrigger = Pick<StartingEvent, 'elementId' | 'trigger'>;

/** Returns the triggers that can start a run: of start events, receive tasks and event-based gateways. */
export function listStartTriggers(graph: WorkflowGraph): StartTrigger[] {
  const starts = graph.scopes.get(graph.workflowId)?.triggeredStartEvents ?? [];
  return starts.flatMap((id) => {
    const node = graph.nodes.get(id);
    const startElementIds = node?.kind === 'eventGateway' ? node.outgoing.map((flow) => flow.targetId) : [id];
    return startElementIds.flatMap((elementId) => {
      const event = graph.nodes.get(elementId);
      return event !== undefined && 'triggers' in event
        ? event.triggers.map((_, trigger) => ({ elementId, trigger }))
        : [];
    });
  });
}

/** Returns the command that starts a run. @param event `null` for the none start event */
export function buildStartCommand(event: StartTrigger | null): StartCommand {
  const inputs = { n0: 0, n1: 1, n2: 2, n3: 3, flag: false, list: [1, 2], key: 'k', called: 'child' };
  const common = {
    type: 'start',
    actor: user('starter'),
    runId: RUN_ID,
    workflowVersion: 1,
    workflowDigest: 'sha256:1',
    businessKey: null,
    inputs,
  } as const;
  return event === null ? common : { ...common, startEvent: { ...event, payload: { n0: 2 } } };
}

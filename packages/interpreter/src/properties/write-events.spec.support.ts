import { isFirstOfKey, renderTrigger } from './event-xml.spec.support.js';
import type { ScopeWriter } from './scope-writer.spec.support.js';
import type { StartSketch, BlockSketch, EventBranchSketch, TriggerSketch } from './sketch.spec.support.js';

/** Writes an intermediate catch event that waits for one of its triggers, or for all of them if `parallel` is true. */
export function writeCatchEvent(scope: ScopeWriter, triggers: readonly TriggerSketch[], parallel = false): string {
  return scope.node('intermediateCatchEvent', 'c', ...renderTriggers(triggers, parallel));
}

function renderTriggers(triggers: readonly TriggerSketch[], parallel: boolean): [string, string] {
  const usedKeys = new Set<string>();
  const distinct = triggers.filter((each) => isFirstOfKey(usedKeys, each));
  return [
    distinct.map((each) => renderTrigger(each)).join(''),
    parallel && distinct.length > 1 ? ' parallelMultiple="true"' : '',
  ];
}

/**
 * Writes a start event, receive task or event-based gateway that can also start runs of the process.
 *
 * @param merge the node where all tokens continue
 * @param writeBlocks writes blocks after a node, and returns the node where tokens leave the blocks, if any do
 */
export function writeStart(
  scope: ScopeWriter,
  begin: StartSketch,
  merge: string,
  writeBlocks: (from: string, body: readonly BlockSketch[]) => string | null,
): void {
  switch (begin.kind) {
    case 'message':
      return scope.flow(scope.node('startEvent', 's', '<bpmn:messageEventDefinition messageRef="begin"/>'), merge);
    case 'receive':
      return scope.flow(writeReceiveTask(scope, begin.which, ' instantiate="true"'), merge);
    case 'multiple':
      return scope.flow(scope.node('startEvent', 's', ...renderTriggers(begin.triggers, begin.parallel)), merge);
    case 'gateway': {
      const gateway = scope.node(
        'eventBasedGateway',
        'g',
        '',
        ` instantiate="true"${begin.parallel ? ' eventGatewayType="Parallel"' : ''}`,
      );
      for (const { trigger, body } of chooseGatewayEvents(begin)) {
        const event = begin.byTask ? writeReceiveTask(scope, trigger.which) : writeCatchEvent(scope, [trigger]);
        scope.flow(gateway, event);
        const exit = writeBlocks(event, body);
        if (exit !== null) scope.flow(exit, merge);
      }
    }
  }
}

/** Returns at least two events; receive tasks are never combined with events that wait for messages. */
function chooseGatewayEvents({ branches, byTask }: Extract<StartSketch, { kind: 'gateway' }>): EventBranchSketch[] {
  const usedKeys = new Set<string>();
  const others: EventBranchSketch[] = [0, 1].map((which) => ({ trigger: { kind: 'message', which }, body: [] }));
  const distinct = [...branches.filter(({ trigger }) => !byTask || trigger.kind === 'message'), ...others].filter(
    ({ trigger }) => isFirstOfKey(usedKeys, trigger),
  );
  return distinct.slice(0, Math.max(2, branches.length));
}

function writeReceiveTask(scope: ScopeWriter, which: number, attributes = ''): string {
  return scope.node('receiveTask', 't', '', `${attributes} messageRef="M${which % 3}"`);
}

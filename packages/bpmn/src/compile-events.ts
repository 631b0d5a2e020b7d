import type { CatchNode, FlowNode, NodeBase, PassThroughNode } from '@countersign/model';
import { boundaryEventCompiler } from './compile-boundary.js';
import type { CompileContext } from './compile-context.js';
import { compileLinkCatch } from './compile-links.js';
import { compileMessage, type MessageUsage } from './compile-messages.js';
import { throwCompilers } from './compile-throws.js';
import { compileTriggers } from './compile-triggers.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES, CATCH_PROPERTIES } from './check-properties.js';
import { readEventDefinitions } from './event-positions.js';
import type { ElementCompilers } from './element-compiler.js';
import { checkInterrupting, checkNoTimerCycle } from './interrupting-rules.js';
import { getBoolean } from './moddle.js';
import { isInstantiating, isLink } from './node-kinds.js';

/** Compilers of all kinds of events, and of receive tasks. */
export const eventCompilers: ElementCompilers = new Map([
  [
    'startEvent',
    { properties: [...CATCH_PROPERTIES, 'isInterrupting'], extensions: ['zeebe:ioMapping'], compile: compileStart },
  ],
  ['intermediateCatchEvent', { properties: CATCH_PROPERTIES, extensions: ['zeebe:ioMapping'], compile: compileCatch }],
  [
    'receiveTask',
    {
      properties: [...ACTIVITY_PROPERTIES, 'implementation', 'messageRef', 'operationRef', 'instantiate'],
      extensions: ['zeebe:ioMapping'],
      compile: compileReceive,
    },
  ],
  ['boundaryEvent', boundaryEventCompiler],
  ...throwCompilers,
]);

function compileStart(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const { problems } = context;
  const { kind, parent } = draft.scope;
  if (base.inputs.length > 0) {
    const message =
      'A start event cannot have input mappings; use output mappings, or input mappings of the first task.';
    problems.add(base.id, 'unsupported_mapping', message);
  }
  const interrupting = getBoolean(draft.element, 'isInterrupting') !== false;
  if (kind !== 'eventSubProcess' && !interrupting) {
    const message = 'isInterrupting="false" is allowed only on the start event of an event sub-process.';
    problems.add(base.id, 'unexpected_property', message);
  }
  // scope-rules.ts checks that a sub-process has a start event without a trigger, and an event sub-process one with a
  // trigger.
  if (kind !== 'process' && kind !== 'eventSubProcess') {
    return { ...base, kind: 'startEvent', triggers: [], parallelMultiple: false, interrupting: true };
  }
  const definitions = readEventDefinitions(
    context,
    draft,
    kind === 'process' ? 'processStart' : 'eventSubProcessStart',
  );
  if (definitions === undefined) return undefined;
  const parallelMultiple = isParallelMultiple(draft, definitions.length);
  // All events after the first one must find the run that the first one started.
  const usage = kind === 'process' ? { startsRun: true, needsKey: parallelMultiple } : undefined;
  const triggers = compileTriggers(context, base.id, definitions, usage);
  if (triggers === undefined) return undefined;
  if (kind === 'process' && parallelMultiple && triggers.some((trigger) => trigger.kind === 'condition')) {
    // The other events find the run by a key. A condition that is evaluated outside a run has no key.
    const message =
      'A parallel multiple start event cannot have a condition: it would be unclear for which run the condition is true.';
    problems.add(base.id, 'unsupported_event', message);
    return undefined;
  }
  if (kind === 'eventSubProcess') {
    checkInterrupting(context, base.id, triggers, interrupting);
    if (parent?.kind === 'process' && triggers.some((trigger) => trigger.kind === 'compensation')) {
      // Zeebe 8.6, SubProcessValidator: a whole process can never be compensated.
      const message =
        'An event sub-process for compensation must be inside a sub-process: a process as a whole is never compensated.';
      problems.add(base.id, 'impossible_event', message);
    }
  }
  return { ...base, kind: 'startEvent', triggers, parallelMultiple, interrupting };
}

function compileCatch(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
): CatchNode | PassThroughNode | undefined {
  const definitions = readEventDefinitions(context, draft, 'catch');
  if (definitions === undefined) return undefined;
  if (isLink(draft)) return compileLinkCatch(context, draft, base);
  if (definitions.length === 0) {
    // BPMN 2.0, table 10.89: an intermediate event without a trigger throws; a catching one needs a trigger.
    context.problems.add(
      base.id,
      'missing_event_definition',
      'The intermediate catch event has no trigger (event definition).',
    );
    return undefined;
  }
  const triggers = compileTriggers(context, base.id, definitions, getUsageAfterGateway(draft));
  if (triggers !== undefined) checkNoTimerCycle(context, base.id, triggers);
  const parallelMultiple = isParallelMultiple(draft, definitions.length);
  return triggers === undefined ? undefined : { ...base, kind: 'catch', triggers, parallelMultiple };
}

function compileReceive(context: CompileContext, draft: NodeDraft, base: NodeBase): CatchNode | undefined {
  const startsRun = isInstantiating(draft);
  if (startsRun && draft.incoming.length > 0) {
    // BPMN 2.0, 10.3.3: like a start event, it has no incoming flow.
    const message = 'A receive task that starts runs (instantiate) cannot have incoming sequence flows.';
    context.problems.add(base.id, 'unexpected_incoming', message);
  }
  const usage = startsRun ? { startsRun: true, needsKey: false } : getUsageAfterGateway(draft);
  const trigger = compileMessage(context, base.id, draft.element, usage);
  return trigger === undefined ? undefined : { ...base, kind: 'catch', triggers: [trigger], parallelMultiple: false };
}

/**
 * Returns how a message is used after an event-based gateway that starts runs. If all events of the gateway must occur,
 * the later ones find the run by key.
 */
function getUsageAfterGateway(draft: NodeDraft): MessageUsage | undefined {
  const gateway = draft.incoming
    .map((flow) => draft.scope.nodes.get(flow.sourceId))
    .find((source) => source?.type === 'eventBasedGateway' && isInstantiating(source));
  if (gateway === undefined) return undefined;
  return { startsRun: true, needsKey: gateway.element['eventGatewayType'] === 'Parallel' };
}

function isParallelMultiple(draft: NodeDraft, count: number): boolean {
  return count > 1 && getBoolean(draft.element, 'parallelMultiple') === true;
}

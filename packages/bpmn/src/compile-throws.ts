import type { FlowNode, NodeBase, Throw } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileCompensationThrow } from './compile-compensation-throw.js';
import { compileJobTask, JOB_EXTENSIONS } from './compile-jobs.js';
import { compileLinkThrow } from './compile-links.js';
import { compileMessageThrow } from './compile-messages.js';
import { readCode, readSignalName } from './compile-triggers.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { checkProperties, EVENT_PROPERTIES } from './check-properties.js';
import { readEventDefinitions } from './event-positions.js';
import { readExtensions, type Extensions } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { getTag, type ModdleElement } from './moddle.js';
import { isLink } from './node-kinds.js';
import { requireName } from './values.js';

/** Compilers of intermediate throw events and end events. */
export const throwCompilers: ElementCompilers = new Map([
  ['intermediateThrowEvent', { properties: EVENT_PROPERTIES, extensions: JOB_EXTENSIONS, compile: compileThrowEvent }],
  ['endEvent', { properties: EVENT_PROPERTIES, extensions: JOB_EXTENSIONS, compile: compileThrowEvent }],
]);

function compileThrowEvent(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const { problems } = context;
  const isEnd = draft.type === 'endEvent';
  const definitions = readEventDefinitions(context, draft, isEnd ? 'end' : 'throw');
  if (definitions === undefined) return undefined;
  const [first] = definitions;
  const isMessage = definitions.length === 1 && first !== undefined && getTag(first) === 'messageEventDefinition';
  if (isMessage && extensions.has('zeebe:taskDefinition')) {
    // As in Zeebe 8.6: a worker sends the message, and the message name is for documentation only.
    checkProperties(context, first, base.id, ['messageRef']);
    return compileJobTask(context, draft, base, extensions);
  }
  for (const tag of ['zeebe:taskDefinition', 'zeebe:taskHeaders']) {
    if (!extensions.has(tag)) continue;
    const message = `${tag} on ${base.type} is not supported: only a throw event with a single message event definition can be a job.`;
    problems.add(base.id, 'unsupported_extension', message);
  }
  if (isLink(draft)) return compileLinkThrow(context, draft, base);
  const throws = definitions.map((definition) => compileThrow(context, draft, definition));
  for (const definition of definitions.slice(0, -1)) {
    if (!INTERRUPTING_DEFINITIONS.has(getTag(definition))) continue;
    const message =
      'An error or a cancellation ends the event that throws it, so later event definitions are never thrown. Put it last.';
    problems.add(base.id, 'unreachable_throw', message);
  }
  const validThrows = throws.filter((each) => each !== undefined);
  if (validThrows.length < throws.length) return undefined;
  return { ...base, kind: isEnd ? 'endEvent' : 'throw', throws: validThrows };
}

const INTERRUPTING_DEFINITIONS: ReadonlySet<string> = new Set(['errorEventDefinition', 'cancelEventDefinition']);

const DEFINITION_PROPERTIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['messageEventDefinition', ['messageRef', 'operationRef']],
  ['signalEventDefinition', ['signalRef']],
  ['errorEventDefinition', ['errorRef']],
  ['escalationEventDefinition', ['escalationRef']],
  ['compensateEventDefinition', ['activityRef', 'waitForCompletion']],
]);

function compileThrow(context: CompileContext, draft: NodeDraft, definition: ModdleElement): Throw | undefined {
  const tag = getTag(definition);
  checkProperties(context, definition, draft.id, DEFINITION_PROPERTIES.get(tag) ?? []);
  readExtensions(context, definition, draft.id, new Set());
  switch (tag) {
    case 'terminateEventDefinition':
      return { kind: 'terminate' };
    case 'cancelEventDefinition':
      return compileCancel(context, draft);
    case 'errorEventDefinition':
      return compileErrorOrEscalationThrow(context, draft.id, definition, 'error');
    case 'escalationEventDefinition':
      return compileErrorOrEscalationThrow(context, draft.id, definition, 'escalation');
    case 'signalEventDefinition': {
      const signalName = readSignalName(context, draft.id, definition);
      return signalName === undefined ? undefined : { kind: 'signal', signalName };
    }
    case 'messageEventDefinition':
      return compileMessageThrow(context, draft.id, definition);
    case 'compensateEventDefinition':
      return compileCompensationThrow(context, draft, definition);
    default:
      throw new Error(`unreachable: a ${tag} cannot be thrown`);
  }
}

/**
 * Compiles the throw of an error or escalation. Its code is required, literal or FEEL (Zeebe 8.6,
 * ErrorEventDefinitionValidator and EscalationValidator).
 */
function compileErrorOrEscalationThrow(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  kind: 'error' | 'escalation',
): Throw | undefined {
  const { hasReference, label, text } = readCode(context, elementId, definition, kind);
  if (!hasReference) {
    const message = `This event throws an ${kind}, but has no ${kind}Ref. Set it to a bpmn:${kind}.`;
    context.problems.add(elementId, `missing_${kind}`, message);
    return undefined;
  }
  const code = requireName(context, elementId, label, text);
  return code === undefined ? undefined : { kind, code };
}

/**
 * Compiles a cancel end event. BPMN 2.0, table 10.88: it cancels the transaction that contains it, directly or within a
 * sub-process.
 */
function compileCancel(context: CompileContext, draft: NodeDraft): Throw | undefined {
  if (isInTransaction(draft.scope)) return { kind: 'cancel' };
  const message = 'This event cancels a transaction, but is not inside a transaction.';
  context.problems.add(draft.id, 'no_transaction', message);
  return undefined;
}

function isInTransaction(scope: ScopeDraft | undefined): boolean {
  return scope !== undefined && (scope.kind === 'transaction' || isInTransaction(scope.parent));
}

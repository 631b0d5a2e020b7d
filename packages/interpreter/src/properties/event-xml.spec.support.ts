import { escapeXml } from './scope-writer.spec.support.js';
import { CONDITIONS, type EndKind, type ThrowKind, type TriggerSketch } from './sketch.spec.support.js';

/** Number of messages, signals, errors and escalations each: small, so that throw and catch events often match. */
const NAME_COUNT = 3;
const numberedName = (prefix: string, which: number): string => `${prefix}${which % NAME_COUNT}`;

export const getCondition = (which: number): string => CONDITIONS[which % CONDITIONS.length] ?? 'true';

export function renderFormalExpression(tag: string, expression: string): string {
  return `<bpmn:${tag} xsi:type="bpmn:tFormalExpression">${escapeXml(expression)}</bpmn:${tag}>`;
}

/** Renders the root elements that events refer to. */
export function renderRootElements(): string {
  const renderAll = (render: (which: number) => string): string =>
    Array.from({ length: NAME_COUNT }, (_, which) => render(which)).join('');
  const subscription = '<bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements>';
  return [
    '<bpmn:message id="begin" name="begin"/>',
    renderAll((which) => `<bpmn:message id="M${which}" name="M${which}">${subscription}</bpmn:message>`),
    renderAll((which) => `<bpmn:signal id="S${which}" name="S${which}"/>`),
    renderAll((which) => `<bpmn:error id="X${which}" errorCode="X${which}"/>`),
    renderAll((which) => `<bpmn:escalation id="C${which}" escalationCode="C${which}"/>`),
  ].join('');
}

/** Renders the definition of a catch event. @param mayRepeat whether a timer may have a cycle */
export function renderTrigger({ kind, which }: TriggerSketch, mayRepeat = false): string {
  switch (kind) {
    case 'message':
      return `<bpmn:messageEventDefinition messageRef="${numberedName('M', which)}"/>`;
    case 'signal':
      return `<bpmn:signalEventDefinition signalRef="${numberedName('S', which)}"/>`;
    case 'timer':
      return `<bpmn:timerEventDefinition>${renderTimer(which, mayRepeat)}</bpmn:timerEventDefinition>`;
    case 'condition':
      return `<bpmn:conditionalEventDefinition>${renderFormalExpression('condition', `=${getCondition(which)}`)}</bpmn:conditionalEventDefinition>`;
    case 'error':
      return which % 4 === 3
        ? '<bpmn:errorEventDefinition/>'
        : `<bpmn:errorEventDefinition errorRef="${numberedName('X', which)}"/>`;
    case 'escalation':
      return which % 4 === 3
        ? '<bpmn:escalationEventDefinition/>'
        : `<bpmn:escalationEventDefinition escalationRef="${numberedName('C', which)}"/>`;
    case 'compensation':
      return '<bpmn:compensateEventDefinition/>';
    case 'cancel':
      return '<bpmn:cancelEventDefinition/>';
  }
}

function renderTimer(which: number, mayRepeat: boolean): string {
  if (mayRepeat && which % 2 === 0) return renderFormalExpression('timeCycle', which % 4 === 0 ? 'R2/PT10M' : 'R/PT1H');
  return which % 3 === 0
    ? renderFormalExpression('timeDate', '2026-01-02T00:00:00Z')
    : renderFormalExpression('timeDuration', which % 3 === 1 ? 'PT5M' : '=duration("PT1M")');
}

/** Returns a key that may occur once per element; `null` if the trigger may occur any number of times. */
function getUniqueKey({ kind, which }: TriggerSketch): string | null {
  if (kind === 'timer' || kind === 'condition') return null;
  if (kind === 'error' || kind === 'escalation') return which % 4 === 3 ? kind : `${kind}${which % NAME_COUNT}`;
  return kind === 'message' || kind === 'signal' ? `${kind}${which % NAME_COUNT}` : kind;
}

/** Returns whether an event may be combined with the events in `seen`, and if so adds its key. */
export function isFirstOfKey(usedKeys: Set<string>, trigger: TriggerSketch): boolean {
  const key = getUniqueKey(trigger);
  if (key === null) return true;
  if (usedKeys.has(key)) return false;
  usedKeys.add(key);
  return true;
}

/** Renders the definition of a throw event. @param compensable ids of the activities that compensation may refer to */
export function renderThrow(kind: ThrowKind | EndKind, code: number, compensable: readonly string[]): string {
  switch (kind) {
    case 'none':
      return '';
    case 'signal':
      return `<bpmn:signalEventDefinition signalRef="${numberedName('S', code)}"/>`;
    case 'message':
      return `<bpmn:messageEventDefinition messageRef="${numberedName('M', code)}"/>`;
    case 'error':
      return `<bpmn:errorEventDefinition errorRef="${numberedName('X', code)}"/>`;
    case 'escalation':
      return `<bpmn:escalationEventDefinition escalationRef="${numberedName('C', code)}"/>`;
    case 'compensation':
      return renderCompensation(code, compensable);
    case 'terminate':
      return '<bpmn:terminateEventDefinition/>';
    case 'cancel':
      return '<bpmn:cancelEventDefinition/>';
  }
}

function renderCompensation(code: number, compensable: readonly string[]): string {
  const activity = code % 2 === 0 ? undefined : compensable[code % Math.max(compensable.length, 1)];
  const waitAttribute = code % 3 === 2 ? ' waitForCompletion="false"' : '';
  return `<bpmn:compensateEventDefinition${activity === undefined ? '' : ` activityRef="${activity}"`}${waitAttribute}/>`;
}

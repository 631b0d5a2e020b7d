import { escapeXml } from './scope-writer.spec.support.js';
import { CONDITIONS, type EndKind, type ThrowKind, type TriggerSketch } from './sketch.spec.support.js';

/** Number of messages, signals, errors and escalations: few, so that throw and catch events meet. */
const NAMES = 3;
const numberedName = (prefix: string, which: number): string => `${prefix}${which % NAMES}`;

export const condition = (which: number): string => CONDITIONS[which % CONDITIONS.length] ?? 'true';

export function formalExpression(tag: string, text: string): string {
  return `<bpmn:${tag} xsi:type="bpmn:tFormalExpression">${escapeXml(text)}</bpmn:${tag}>`;
}

/** Returns the root elements that events refer to. */
export function rootElementsXml(): string {
  const renderAll = (text: (which: number) => string): string =>
    Array.from({ length: NAMES }, (_, which) => text(which)).join('');
  const subscription = '<bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements>';
  return [
    '<bpmn:message id="begin" name="begin"/>',
    renderAll((which) => `<bpmn:message id="M${which}" name="M${which}">${subscription}</bpmn:message>`),
    renderAll((which) => `<bpmn:signal id="S${which}" name="S${which}"/>`),
    renderAll((which) => `<bpmn:error id="X${which}" errorCode="X${which}"/>`),
    renderAll((which) => `<bpmn:escalation id="C${which}" escalationCode="C${which}"/>`),
  ].join('');
}

/** The definition of a catch event. @param mayRepeat whether a timer may have a cycle */
export function triggerXml({ kind, which }: TriggerSketch, mayRepeat = false): string {
  switch (kind) {
    case 'message':
      return `<bpmn:messageEventDefinition messageRef="${numberedName('M', which)}"/>`;
    case 'signal':
      return `<bpmn:signalEventDefinition signalRef="${numberedName('S', which)}"/>`;
    case 'timer':
      return `<bpmn:timerEventDefinition>${timerXml(which, mayRepeat)}</bpmn:timerEventDefinition>`;
    case 'condition':
      return `<bpmn:conditionalEventDefinition>${formalExpression('condition', `=${condition(which)}`)}</bpmn:conditionalEventDefinition>`;
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

function timerXml(which: number, mayRepeat: boolean): string {
  if (mayRepeat && which % 2 === 0) return formalExpression('timeCycle', which % 4 === 0 ? 'R2/PT10M' : 'R/PT1H');
  return which % 3 === 0
    ? formalExpression('timeDate', '2026-01-02T00:00:00Z')
    : formalExpression('timeDuration', which % 3 === 1 ? 'PT5M' : '=duration("PT1M")');
}

/** Returns a key that may occur once per element; `null` if the trigger may occur any number of times. */
function distinguishingKey({ kind, which }: TriggerSketch): string | null {
  if (kind === 'timer' || kind === 'condition') return null;
  if (kind === 'error' || kind === 'escalation') return which % 4 === 3 ? kind : `${kind}${which % NAMES}`;
  return kind === 'message' || kind === 'signal' ? `${kind}${which % NAMES}` : kind;
}

/** Returns whether an event may be combined with those in `seen`. */
export function isFirstOfKey(seen: Set<string>, trigger: TriggerSketch): boolean {
  const key = distinguishingKey(trigger);
  if (key === null) return true;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** The definition of a throw event. @param compensable activities that compensation may refer to */
export function throwXml(what: ThrowKind | EndKind, code: number, compensable: readonly string[]): string {
  switch (what) {
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
      return compensationXml(code, compensable);
    case 'terminate':
      return '<bpmn:terminateEventDefinition/>';
    case 'cancel':
      return '<bpmn:cancelEventDefinition/>';
  }
}

function compensationXml(code: number, compensable: readonly string[]): string {
  const activity = code % 2 === 0 ? undefined : compensable[code % Math.max(compensable.length, 1)];
  const waitAttribute = code % 3 === 2 ? ' waitForCompletion="false"' : '';
  return `<bpmn:compensateEventDefinition${activity === undefined ? '' : ` activityRef="${activity}"`}${waitAttribute}/>`;
}

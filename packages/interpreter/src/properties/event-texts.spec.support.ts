import { escaped } from './scope-writer.spec.support.js';
import { CONDITIONS, type EndKind, type ThrowKind, type TriggerSketch } from './sketch.spec.support.js';

/** Number of messages, signals, errors and escalations: few, so that throw and catch events meet. */
const NAMES = 3;
const name = (prefix: string, which: number): string => `${prefix}${which % NAMES}`;

export const condition = (which: number): string => CONDITIONS[which % CONDITIONS.length] ?? 'true';

export function formal(tag: string, text: string): string {
  return `<bpmn:${tag} xsi:type="bpmn:tFormalExpression">${escaped(text)}</bpmn:${tag}>`;
}

/** Returns the root elements that events refer to. */
export function rootTexts(): string {
  const each = (text: (which: number) => string): string =>
    Array.from({ length: NAMES }, (_, which) => text(which)).join('');
  const subscription = '<bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements>';
  return [
    '<bpmn:message id="begin" name="begin"/>',
    each((which) => `<bpmn:message id="M${which}" name="M${which}">${subscription}</bpmn:message>`),
    each((which) => `<bpmn:signal id="S${which}" name="S${which}"/>`),
    each((which) => `<bpmn:error id="X${which}" errorCode="X${which}"/>`),
    each((which) => `<bpmn:escalation id="C${which}" escalationCode="C${which}"/>`),
  ].join('');
}

/** The definition of a catch event. @param mayRepeat whether a timer may have a cycle */
export function triggerText({ kind, which }: TriggerSketch, mayRepeat = false): string {
  switch (kind) {
    case 'message':
      return `<bpmn:messageEventDefinition messageRef="${name('M', which)}"/>`;
    case 'signal':
      return `<bpmn:signalEventDefinition signalRef="${name('S', which)}"/>`;
    case 'timer':
      return `<bpmn:timerEventDefinition>${timerText(which, mayRepeat)}</bpmn:timerEventDefinition>`;
    case 'condition':
      return `<bpmn:conditionalEventDefinition>${formal('condition', `=${condition(which)}`)}</bpmn:conditionalEventDefinition>`;
    case 'error':
      return which % 4 === 3
        ? '<bpmn:errorEventDefinition/>'
        : `<bpmn:errorEventDefinition errorRef="${name('X', which)}"/>`;
    case 'escalation':
      return which % 4 === 3
        ? '<bpmn:escalationEventDefinition/>'
        : `<bpmn:escalationEventDefinition escalationRef="${name('C', which)}"/>`;
    case 'compensation':
      return '<bpmn:compensateEventDefinition/>';
    case 'cancel':
      return '<bpmn:cancelEventDefinition/>';
  }
}

function timerText(which: number, mayRepeat: boolean): string {
  if (mayRepeat && which % 2 === 0) return formal('timeCycle', which % 4 === 0 ? 'R2/PT10M' : 'R/PT1H');
  return which % 3 === 0
    ? formal('timeDate', '2026-01-02T00:00:00Z')
    : formal('timeDuration', which % 3 === 1 ? 'PT5M' : '=duration("PT1M")');
}

/** Returns a key that may occur once per element; `null` if the trigger may occur any number of times. */
function distinguishing({ kind, which }: TriggerSketch): string | null {
  if (kind === 'timer' || kind === 'condition') return null;
  if (kind === 'error' || kind === 'escalation') return which % 4 === 3 ? kind : `${kind}${which % NAMES}`;
  return kind === 'message' || kind === 'signal' ? `${kind}${which % NAMES}` : kind;
}

/** Returns whether an event may be combined with those in `seen`. */
export function isFirst(seen: Set<string>, trigger: TriggerSketch): boolean {
  const key = distinguishing(trigger);
  if (key === null) return true;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** The definition of a throw event. @param compensable activities that compensation may refer to */
export function throwText(what: ThrowKind | EndKind, code: number, compensable: readonly string[]): string {
  switch (what) {
    case 'none':
      return '';
    case 'signal':
      return `<bpmn:signalEventDefinition signalRef="${name('S', code)}"/>`;
    case 'message':
      return `<bpmn:messageEventDefinition messageRef="${name('M', code)}"/>`;
    case 'error':
      return `<bpmn:errorEventDefinition errorRef="${name('X', code)}"/>`;
    case 'escalation':
      return `<bpmn:escalationEventDefinition escalationRef="${name('C', code)}"/>`;
    case 'compensation':
      return compensationText(code, compensable);
    case 'terminate':
      return '<bpmn:terminateEventDefinition/>';
    case 'cancel':
      return '<bpmn:cancelEventDefinition/>';
  }
}

function compensationText(code: number, compensable: readonly string[]): string {
  const activity = code % 2 === 0 ? undefined : compensable[code % Math.max(compensable.length, 1)];
  const waits = code % 3 === 2 ? ' waitForCompletion="false"' : '';
  return `<bpmn:compensateEventDefinition${activity === undefined ? '' : ` activityRef="${activity}"`}${waits}/>`;
}

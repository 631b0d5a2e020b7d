import { parseIsoDate, parseIsoDuration } from '../domain/iso-8601.js';
import type { MessageTrigger, TimerTrigger } from '../domain/event-definitions.js';
import type { CompileContext } from './compile-context.js';
import { checkProperties } from './element-rules.js';
import { readExtensions } from './extensions.js';
import { elementOf, textOf, type ModdleElement } from './moddle.js';
import { requireExpression, requireValue } from './values.js';

/** The message that an element waits for; `owner` carries `messageRef` (an event definition or a receive task). */
export function compileMessage(
  context: CompileContext,
  elementId: string,
  owner: ModdleElement,
): MessageTrigger | undefined {
  const message = elementOf(owner, 'messageRef');
  if (message === undefined) {
    context.problems.add(elementId, 'missing_message', 'It waits for a message, but has no messageRef.');
    return undefined;
  }
  checkProperties(context, message, elementId, ['itemRef']);
  const extensions = readExtensions(context, message, elementId, new Set(['zeebe:subscription']));
  const name = textOf(message, 'name');
  const messageName = requireValue(context, elementId, 'The name of its message', name);
  const subscription = extensions.get('zeebe:subscription');
  if (subscription === undefined) {
    const text =
      `Its message "${name ?? ''}" has no correlation key, so that no run could be told from another. ` +
      'Add <zeebe:subscription correlationKey="=…"/> to the extensionElements of the bpmn:message.';
    context.problems.add(elementId, 'missing_correlation_key', text);
    return undefined;
  }
  const place = `correlationKey of its message "${name ?? ''}"`;
  const correlationKey = requireExpression(context, elementId, place, textOf(subscription, 'correlationKey'));
  if (messageName === undefined || correlationKey === undefined) return undefined;
  return { kind: 'message', messageName, correlationKey: { expression: correlationKey } };
}

const TIMERS = [
  { property: 'timeDate', timer: 'date' },
  { property: 'timeDuration', timer: 'duration' },
] as const;

/** The timer that an element waits for. Literal values are checked now; FEEL is when the timer is armed. */
export function compileTimer(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
): TimerTrigger | undefined {
  const { problems } = context;
  checkProperties(context, definition, elementId, ['timeDate', 'timeDuration', 'timeCycle']);
  if (definition['timeCycle'] !== undefined) {
    problems.add(
      elementId,
      'unsupported_timer',
      'A timer that repeats (timeCycle) is not executed by this version here.',
    );
    return undefined;
  }
  const given = TIMERS.filter(({ property }) => definition[property] !== undefined);
  const [only] = given;
  if (only === undefined || given.length > 1) {
    // BPMN 2.0, table 10.101: the three are mutually exclusive.
    problems.add(elementId, 'invalid_timer', 'A timer needs one of timeDate and timeDuration, and only one.');
    return undefined;
  }
  const expression = elementOf(definition, only.property);
  const text = expression === undefined ? undefined : textOf(expression, 'body');
  const value = requireValue(context, elementId, only.property, text);
  if (value === undefined) return undefined;
  if ('literal' in value) {
    const valid = only.timer === 'date' ? parseIsoDate(value.literal) : parseIsoDuration(value.literal);
    if (valid === undefined) {
      const example =
        only.timer === 'date'
          ? 'a date with time and offset, for example 2026-11-21T12:00:00Z'
          : 'a duration, for example PT15M';
      problems.add(
        elementId,
        'invalid_timer',
        `${only.property} "${value.literal}" is not ISO 8601: it must be ${example}.`,
      );
      return undefined;
    }
  }
  return { kind: 'timer', timer: only.timer, value };
}

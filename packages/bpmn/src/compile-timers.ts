import {
  endsInRange,
  parseIsoDate,
  parseIsoDuration,
  parseTimerCycle,
  type TimerTrigger,
  type Value,
} from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { evaluateWithoutVariables } from './constant-values.js';
import { checkProperties } from './check-properties.js';
import { getNonEmptyElement } from './empty-elements.js';
import { getElement, getTag, getString, type ModdleElement } from './moddle.js';
import { requireValue } from './values.js';

const TIMER_PROPERTIES = [
  {
    property: 'timeDate',
    timer: 'date',
    isValid: (text: string) => parseIsoDate(text) !== undefined,
    example: 'an ISO 8601 date with time and offset in the years 1 to 9999, for example 2026-11-21T12:00:00Z',
  },
  {
    property: 'timeDuration',
    timer: 'duration',
    isValid: (text: string) => {
      const duration = parseIsoDuration(text);
      return duration !== undefined && endsInRange(duration);
    },
    example: 'an ISO 8601 duration of less than 7,800 years, for example PT15M',
  },
  {
    property: 'timeCycle',
    timer: 'cycle',
    isValid: (text: string) => parseTimerCycle(text) !== undefined,
    example:
      'a repeating interval, for example R3/PT10S, or a cron expression that is due at least once, for example 0 0 9 * * MON-FRI',
  },
] as const;

type TimerProperty = (typeof TIMER_PROPERTIES)[number];

/**
 * Compiles the timer that an event waits for. Literal values are checked at deployment, FEEL when the timer is armed. A
 * timer that starts runs has no variables, so its FEEL is evaluated at deployment too (Zeebe 8.6,
 * TimerCatchEventExpressionValidator).
 */
export function compileTimer(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  startsRun = false,
): TimerTrigger | undefined {
  const { problems } = context;
  checkProperties(context, definition, elementId, ['timeDate', 'timeDuration', 'timeCycle']);
  const presentTimers = TIMER_PROPERTIES.filter(({ property }) => definition[property] !== undefined);
  const nonEmptyTimers = presentTimers.filter(({ property }) => getNonEmptyElement(definition, property) !== undefined);
  const candidates = nonEmptyTimers.length === 0 ? presentTimers : nonEmptyTimers;
  const [timer] = candidates;
  if (timer === undefined || candidates.length > 1) {
    // BPMN 2.0, table 10.101: the three properties are mutually exclusive.
    const message = 'A timer needs exactly one of timeDate, timeDuration and timeCycle.';
    problems.add(elementId, 'invalid_timer', message);
    return undefined;
  }
  const value = readTimer(context, elementId, definition, timer.property);
  if (value === undefined || !checkTimerValue(context, elementId, timer, value, startsRun)) return undefined;
  return { kind: 'timer', timer: timer.timer, value };
}

/**
 * Reads the value of a timer. BPMN 2.0, 8.3.7: an executable expression is a FormalExpression. Any other expression is
 * text for people, unless a `=` marks it as FEEL.
 */
function readTimer(
  context: CompileContext,
  elementId: string,
  definition: ModdleElement,
  property: TimerProperty['property'],
): Value | undefined {
  const { problems } = context;
  const element = getElement(definition, property);
  const text = element === undefined ? undefined : getString(element, 'body')?.trim();
  if (element !== undefined && getTag(element) !== 'formalExpression' && text?.startsWith('=') !== true) {
    const message = `${property} is not marked as executable; write <bpmn:${property} xsi:type="bpmn:tFormalExpression">.`;
    problems.add(elementId, 'informal_expression', message);
    return undefined;
  }
  const language = element === undefined ? undefined : getString(element, 'language');
  if (language !== undefined && !/feel/i.test(language)) {
    const message = `${property}: expressions must be FEEL; the language "${language}" is never evaluated.`;
    problems.add(elementId, 'foreign_script', message);
    return undefined;
  }
  return requireValue(context, elementId, property, text);
}

function checkTimerValue(
  context: CompileContext,
  elementId: string,
  timer: TimerProperty,
  value: Value,
  startsRun: boolean,
): boolean {
  if ('expression' in value && !startsRun) return true;
  const text = evaluateWithoutVariables(value, 0);
  if (typeof text === 'string' && timer.isValid(text)) return true;
  const source = 'literal' in value ? value.literal : `=${value.expression.source}`;
  const reason =
    'literal' in value
      ? `is not ${timer.example}`
      : `does not evaluate to ${timer.example} (a timer that starts runs cannot use variables)`;
  context.problems.add(elementId, 'invalid_timer', `${timer.property} "${source}" ${reason}.`);
  return false;
}

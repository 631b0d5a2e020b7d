import { expect } from 'chai';
import { boundaryEvent, catchEvent, timer } from './events.spec.support.js';
import { evaluate, serviceTask, sequentialFlow, model, requireNode, findProblemCodes } from './models.spec.support.js';

function catchTimerModel(definition: string): string {
  return model(sequentialFlow(catchEvent('a', definition), 'a'));
}

/** Returns a model with a non-interrupting boundary event, whose timer may repeat. */
function boundaryTimerModel(definition: string): string {
  return model(
    sequentialFlow(serviceTask('work') + boundaryEvent('a', definition, 'cancelActivity="false"', 'work'), 'work'),
  );
}

describe('timers of a BPMN model', () => {
  const literalTimers = [
    ['timeDate', 'date', '2030-01-01T00:00:00Z'],
    ['timeDuration', 'duration', 'PT5M'],
    ['timeCycle', 'cycle', 'R3/PT10S'],
    ['timeCycle', 'cycle', 'R/2030-01-01T00:00:00Z/P1D'],
    ['timeCycle', 'cycle', '0 */5 * * * *'],
    ['timeCycle', 'cycle', '@hourly'],
  ] as const;
  for (const [property, kind, timerValue] of literalTimers) {
    it(`should compile a timer with ${property} ${timerValue}`, async () => {
      const { triggers } = await requireNode(
        boundaryTimerModel(timer(property, ` ${timerValue} `)),
        'a',
        'boundaryEvent',
      );
      expect(triggers).to.deep.equal([{ kind: 'timer', timer: kind, value: { literal: timerValue } }]);
    });
  }

  it('should compile a FEEL expression, with or without the type `tFormalExpression`', async () => {
    const {
      triggers: [trigger],
    } = await requireNode(catchTimerModel(timer('timeDuration', '=patience')), 'a', 'catch');
    expect(trigger?.kind === 'timer' && evaluate(trigger.value, { patience: 'PT1S' })).to.equal('PT1S');
    // A leading "=" marks a FEEL expression even without the type.
    const untypedTimer = timer('timeDuration', '=patience').replace(/ xsi:type="[^"]*"/, '');
    await requireNode(catchTimerModel(untypedTimer), 'a', 'catch');
  });

  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['an invalid duration', timer('timeDuration', '5 minutes'), 'invalid_timer'],
    ['a date without an offset', timer('timeDate', '2030-01-01T00:00:00'), 'invalid_timer'],
    ['an invalid cycle', timer('timeCycle', 'PT1H'), 'invalid_timer'],
    ['an endless cycle with an interval of zero', timer('timeCycle', 'R/PT0S'), 'invalid_timer'],
    ['a cron expression that is never due', timer('timeCycle', '0 0 0 30 2 *'), 'invalid_timer'],
    ['an empty timer', '<bpmn:timerEventDefinition/>', 'invalid_timer'],
    ['an empty date', timer('timeDate', ''), 'missing_value'],
    [
      'a timer with both a date and a duration',
      `<bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression">2030-01-01T00:00:00Z</bpmn:timeDate>
        <bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1S</bpmn:timeDuration></bpmn:timerEventDefinition>`,
      'invalid_timer',
    ],
    ['a timer in prose', timer('timeDuration', 'PT5M').replace(/ xsi:type="[^"]*"/, ''), 'informal_expression'],
    [
      'a timer in another language',
      timer('timeDuration', 'PT5M').replace('">', '" language="juel">'),
      'foreign_script',
    ],
  ];
  for (const [title, definition, code] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(boundaryTimerModel(definition))).to.deep.equal([`a ${code}`]);
    });
  }

  it('should refuse a repeating timer on an intermediate catch event', async () => {
    expect(await findProblemCodes(catchTimerModel(timer('timeCycle', 'R3/PT10S')))).to.deep.equal([
      'a must_not_repeat',
    ]);
  });
});

import { expect } from 'chai';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

const modelWithDate = (date: string) =>
  buildModel(
    ['start > wait', 'wait > e'],
    `<bpmn:intermediateCatchEvent id="wait"><bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression">${date}</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`,
    ['wait'],
  );
const lintDate = (date: string) => lintWithRule('timer-in-past', modelWithDate(date), { now: Date.UTC(2026, 0, 1) });

describe('Lint: timer-in-past', () => {
  it('should report a timer date before the time of the check', async () => {
    expect(await lintDate('2025-12-31T23:59:59Z')).to.deep.equal(['warning wait']);
    expect(await lintDate('2026-01-01T00:30:00+01:00')).to.deep.equal(['warning wait']);
  });

  it('should report nothing for a date that is not in the past or that is computed', async () => {
    expect(await lintDate('2026-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await lintDate('=due')).to.deep.equal([]);
  });
});

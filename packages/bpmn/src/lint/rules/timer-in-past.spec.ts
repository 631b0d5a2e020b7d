import { expect } from 'chai';
import { drawn, saidBy } from '../lint.spec.support.js';

const dated = (date: string) =>
  drawn(
    ['start > wait', 'wait > e'],
    `<bpmn:intermediateCatchEvent id="wait"><bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression">${date}</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>`,
    ['wait'],
  );
const said = (date: string) => saidBy('timer-in-past', dated(date), { now: Date.UTC(2026, 0, 1) });

describe('Lint: timer-in-past', () => {
  it('should report a timer date before the time of the check', async () => {
    expect(await said('2025-12-31T23:59:59Z')).to.deep.equal(['warning wait']);
    expect(await said('2026-01-01T00:30:00+01:00')).to.deep.equal(['warning wait']);
  });

  it('should report nothing for a date that is not past or that is computed', async () => {
    expect(await said('2026-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await said('=due')).to.deep.equal([]);
  });
});

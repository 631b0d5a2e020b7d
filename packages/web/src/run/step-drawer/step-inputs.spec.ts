import type { RunEvent } from '@countersign/contract';
import { expect } from 'chai';
import { eventsOfStep, inputsOf } from './step-inputs.js';

describe('inputs of a step', () => {
  const event = (seq: number, type: string, data: object = {}, stepId = 'a'): RunEvent =>
    ({ seq, type, stepId, data }) as unknown as RunEvent;
  const began = (seq: number, inputs: object, stepId?: string): RunEvent =>
    event(seq, 'step.started', { asked: { inputs } }, stepId);

  it('should be the inputs of the latest start', () => {
    expect(
      inputsOf([began(1, { n: 1 }), event(2, 'step.attempt_failed'), event(3, 'step.retried'), began(4, { n: 2 })]),
    ).to.deep.equal({ n: 2 });
    expect(
      inputsOf([began(1, { n: 1 }), event(2, 'step.attempt_failed')]),
      'an attempt that was repeated by itself',
    ).to.deep.equal({ n: 1 });
  });

  it('should not be the inputs of an earlier attempt if the last attempt had none', () => {
    expect(
      inputsOf([
        began(1, { n: 1 }),
        event(2, 'step.retried'),
        event(3, 'step.started', { asked: { effect: 'write' } }),
      ]),
    ).to.equal(undefined);
    expect(inputsOf([began(1, { n: 1 }), event(2, 'step.retried'), event(3, 'step.started')])).to.equal(undefined);
    expect(inputsOf([event(1, 'step.started', { asked: [] }), event(2, 'step.completed')])).to.equal(undefined);
    expect(inputsOf([])).to.equal(undefined);
  });

  it('should be the inputs of one loop instance up to the displayed event', () => {
    const events = [began(1, { item: 'x' }), began(2, { item: 'y' }, 'b'), began(3, { item: 'z' })];
    expect(inputsOf(eventsOfStep(events, 'b'))).to.deep.equal({ item: 'y' });
    expect(inputsOf(eventsOfStep(events, 'a', 2))).to.deep.equal({ item: 'x' });
    expect(inputsOf(eventsOfStep(events, 'a', 0))).to.equal(undefined);
  });
});

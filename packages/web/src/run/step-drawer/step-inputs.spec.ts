import type { RunEvent } from '@countersign/contract';
import { expect } from 'chai';
import { filterStepEvents, findStepInputs } from './step-inputs.js';

describe('findStepInputs', () => {
  const createEvent = (seq: number, type: string, data: object = {}, stepId = 'a'): RunEvent =>
    ({ seq, type, stepId, data }) as unknown as RunEvent;
  const startedEvent = (seq: number, inputs: object, stepId?: string): RunEvent =>
    createEvent(seq, 'step.started', { asked: { inputs } }, stepId);

  it('should return the inputs of the latest start', () => {
    expect(
      findStepInputs([
        startedEvent(1, { n: 1 }),
        createEvent(2, 'step.attempt_failed'),
        createEvent(3, 'step.retried'),
        startedEvent(4, { n: 2 }),
      ]),
    ).to.deep.equal({ n: 2 });
    expect(
      findStepInputs([startedEvent(1, { n: 1 }), createEvent(2, 'step.attempt_failed')]),
      'an attempt that was retried automatically',
    ).to.deep.equal({ n: 1 });
  });

  it('should not return the inputs of an earlier attempt if the last attempt had none', () => {
    expect(
      findStepInputs([
        startedEvent(1, { n: 1 }),
        createEvent(2, 'step.retried'),
        createEvent(3, 'step.started', { asked: { effect: 'write' } }),
      ]),
    ).to.equal(undefined);
    expect(
      findStepInputs([startedEvent(1, { n: 1 }), createEvent(2, 'step.retried'), createEvent(3, 'step.started')]),
    ).to.equal(undefined);
    expect(findStepInputs([createEvent(1, 'step.started', { asked: [] }), createEvent(2, 'step.completed')])).to.equal(
      undefined,
    );
    expect(findStepInputs([])).to.equal(undefined);
  });

  it('should return the inputs of one loop instance up to the displayed event', () => {
    const events = [
      startedEvent(1, { item: 'x' }),
      startedEvent(2, { item: 'y' }, 'b'),
      startedEvent(3, { item: 'z' }),
    ];
    expect(findStepInputs(filterStepEvents(events, 'b'))).to.deep.equal({ item: 'y' });
    expect(findStepInputs(filterStepEvents(events, 'a', 2))).to.deep.equal({ item: 'x' });
    expect(findStepInputs(filterStepEvents(events, 'a', 0))).to.equal(undefined);
  });
});

import { expect } from 'chai';
import type { RunEventDraft } from './advance-result.js';
import type { RunEventType } from './run-event-definitions.js';
import { getRunEventVersion, isNewerRunEvent, isRunEvent } from './typed-run-event.js';

const createEvent = (data: RunEventDraft['data'], type: string = 'child.requested'): RunEventDraft => ({
  seq: 1,
  at: 0,
  type: type as RunEventType,
  stepId: 'step',
  elementId: 'call',
  data,
  private: null,
});

describe('typed run events', () => {
  const event = createEvent({ childRunId: 'child', workflowId: 'w' });

  it('should have version 1 unless their data states another one', () => {
    expect(getRunEventVersion(event)).to.equal(1);
    expect(getRunEventVersion(createEvent({ eventVersion: 2 }))).to.equal(2);
  });

  it('should be narrowed to the data of their type', () => {
    expect(isRunEvent(event, 'child.requested') && event.data.childRunId.toUpperCase()).to.equal('CHILD');
    expect(isRunEvent(event, 'child.ended')).to.equal(false);
  });

  it('should not be read if a newer server wrote them in another version, or with an unknown type', () => {
    const changedEvent = createEvent({ eventVersion: 2, childRunIds: ['a', 'b'] });
    expect([isRunEvent(changedEvent, 'child.requested'), isNewerRunEvent(changedEvent)]).to.deep.equal([false, true]);
    expect([isNewerRunEvent(createEvent({}, 'child.paused')), isNewerRunEvent(event)]).to.deep.equal([true, false]);
  });
});

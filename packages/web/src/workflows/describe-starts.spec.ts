import { expect } from 'chai';
import { canStartOnRequest, describeStarts } from './describe-starts.js';

const starts = [
  { elementId: 'a', kind: 'message', value: 'ci.requested' },
  { elementId: 'b', kind: 'timer', value: 'R/PT1H' },
] as const;

describe('start of a workflow', () => {
  it('should be possible on request with a none start event or if the start events are unknown', () => {
    expect(canStartOnRequest({ starts: null })).to.equal(true);
    expect(canStartOnRequest({ starts: [...starts, { elementId: 'c', kind: 'none', value: null }] })).to.equal(true);
    expect(canStartOnRequest({ starts: [...starts] })).to.equal(false);
    expect(canStartOnRequest({ starts: [] })).to.equal(false);
  });

  it('should be described by the start events, or as "No start event" if there are none', () => {
    expect(describeStarts({ starts: [...starts] })).to.equal('Started by the message ci.requested or the timer R/PT1H');
    expect(describeStarts({ starts: [] })).to.equal('No start event');
  });
});

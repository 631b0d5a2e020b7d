import { expect } from 'chai';
import { startsOnRequest, whatStarts } from './what-starts.js';

const starts = [
  { elementId: 'a', kind: 'message', value: 'ci.requested' },
  { elementId: 'b', kind: 'timer', value: 'R/PT1H' },
] as const;

describe('start of a workflow', () => {
  it('should be possible on request with a none start event or if the start events are unknown', () => {
    expect(startsOnRequest({ starts: null })).to.equal(true);
    expect(startsOnRequest({ starts: [...starts, { elementId: 'c', kind: 'none', value: null }] })).to.equal(true);
    expect(startsOnRequest({ starts: [...starts] })).to.equal(false);
    expect(startsOnRequest({ starts: [] })).to.equal(false);
  });

  it('should be described by the other start events, or by their absence', () => {
    expect(whatStarts({ starts: [...starts] })).to.equal('Started by the message ci.requested or the timer R/PT1H');
    expect(whatStarts({ starts: [] })).to.equal('No start event');
  });
});

import { expect } from 'chai';
import { describeChoices } from './choices.js';

describe('describeChoices', () => {
  it('should name flows, events and requests for changes', () => {
    expect(
      describeChoices([
        { elementId: 'x1', flowId: 'x1-a', isRework: false, reads: ['v'] },
        { elementId: 'late', flowId: null, isRework: false, reads: null },
        { elementId: 'ask', flowId: null, isRework: true, reads: null },
      ]),
    ).to.equal(' if "x1" takes flow "x1-a" and "late" occurs and changes are requested in "ask"');
    expect(describeChoices([])).to.equal('');
  });
});

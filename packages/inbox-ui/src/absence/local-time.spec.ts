import { expect } from 'chai';
import { fromLocalInput, toLocalInput } from './local-time.js';

describe('absence: times of the person', () => {
  it('should come back as they were, in summer and in winter', () => {
    for (const at of ['2026-01-15T08:30:00.000Z', '2026-07-15T22:05:00.000Z', '2027-12-31T23:59:00.000Z']) {
      expect(toLocalInput(at)).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
      expect(fromLocalInput(toLocalInput(at))).to.equal(at);
    }
  });

  it('should be nothing where nothing is said', () => {
    expect([fromLocalInput(''), fromLocalInput('Monday')]).to.deep.equal([undefined, undefined]);
  });
});

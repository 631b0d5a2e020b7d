import { seconds } from '@countersign/testing';
import { expect } from 'chai';

interface MeasureModule {
  measureSecond(cores?: number): Promise<number>;
}

describe('The second that is measured before the tests', () => {
  it('should be no shorter than a second', async () => {
    const { measureSecond } = (await import(
      new URL('../../../scripts/mocha/measure-second.mjs', import.meta.url).href
    )) as MeasureModule;
    expect(await measureSecond(1)).to.be.at.least(1_000);
  });

  it('should be the one by which Mocha waits, in tests that say so and in those that do not', function () {
    expect(this.timeout()).to.equal(seconds(30));
    this.timeout(7_000);
    expect(this.timeout()).to.equal(seconds(7));
  });

  describe('for a suite of its own', function () {
    this.timeout(9_000);

    it('should be multiplied once', function () {
      expect(this.timeout()).to.equal(seconds(9));
    });
  });
});

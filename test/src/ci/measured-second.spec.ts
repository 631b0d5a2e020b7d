import { seconds } from '@countersign/testing';
import { expect } from 'chai';

interface MeasureModule {
  measureSecond(cores?: number): Promise<number>;
}

describe('the measured second that scales the timeouts', () => {
  it('should be no shorter than a second', async () => {
    const { measureSecond } = (await import(
      new URL('../../../scripts/mocha/measure-second.mjs', import.meta.url).href
    )) as MeasureModule;
    expect(await measureSecond(1)).to.be.at.least(1_000);
  });

  it('should scale the default timeout of Mocha and a timeout that a test sets', function () {
    expect(this.timeout()).to.equal(seconds(30));
    this.timeout(7_000);
    expect(this.timeout()).to.equal(seconds(7));
  });

  describe('in a suite with its own timeout', function () {
    this.timeout(9_000);

    it('should scale the timeout only once', function () {
      expect(this.timeout()).to.equal(seconds(9));
    });
  });
});

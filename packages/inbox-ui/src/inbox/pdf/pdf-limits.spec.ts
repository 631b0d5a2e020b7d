import { expect } from 'chai';
import { PdfFailure, toPdfFailure, withinTime } from './pdf-failure.js';
import { choosePixelRatio, fitPage, hasUsableSize } from './pdf-limits.js';

describe('inbox: the limits of a PDF', () => {
  const a4 = { width: 794, height: 1_123 };

  it('should fit a page into the view, and enlarge it', () => {
    expect(fitPage(a4, 397, 1)).to.deep.equal({ width: 397, height: 561.5 });
    expect(fitPage(a4, 1_000, 1), 'not larger than on paper').to.deep.equal(a4);
    expect(fitPage(a4, 397, 4)).to.deep.equal({ width: 1_588, height: 2_246 });
  });

  it('should bound the pixels of a page', () => {
    expect(choosePixelRatio(a4, 2)).to.equal(2);
    expect(choosePixelRatio(a4, 0.5), 'as sharp as a normal screen').to.equal(1);
    expect(4_000 * 4_000 * choosePixelRatio({ width: 4_000, height: 4_000 }, 3) ** 2).to.be.closeTo(8_000_000, 1);
  });

  it('should refuse pages without a size, and extremely long ones', () => {
    expect([a4, { width: 1, height: 20 }].map(hasUsableSize)).to.deep.equal([true, true]);
    const unusable = [
      { width: 0, height: 10 },
      { width: 10, height: 0 },
      { width: 1, height: 21 },
      { width: 21, height: 1 },
      { width: NaN, height: 10 },
    ];
    expect(unusable.map(hasUsableSize)).to.deep.equal(unusable.map(() => false));
  });

  it('should have a reason for each failure', () => {
    const passwordError = Object.assign(new Error('No password given'), { name: 'PasswordException' });
    expect(toPdfFailure(passwordError).reason).to.equal('password');
    expect(toPdfFailure(new Error('Invalid PDF structure')).reason).to.equal('damaged');
    expect(toPdfFailure('?').reason).to.equal('damaged');
    expect(toPdfFailure(new PdfFailure('slow')).reason).to.equal('slow');
  });

  it('should end what takes too long', async () => {
    expect(await withinTime(Promise.resolve(1), 1_000)).to.equal(1);
    const failure: unknown = await withinTime(new Promise(() => undefined), 1).catch((error: unknown) => error);
    expect(toPdfFailure(failure).reason).to.equal('slow');
  });
});

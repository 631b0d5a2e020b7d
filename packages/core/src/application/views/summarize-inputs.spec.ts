import { expect } from 'chai';
import { summarizeInputs } from './summarize-inputs.js';

describe('summarizeInputs', () => {
  it('should name the short inputs in their order', () => {
    expect(
      summarizeInputs({ supplier: { iban: 'DE02', name: 'ACME' }, amount: 1200.5, invoiceNumber: 'R-7', IBAN: 'DE02' }),
    ).to.equal('supplier: ACME · amount: 1200.5 · invoice number: R-7 · IBAN: DE02');
  });

  it('should put what changes first', () => {
    expect(
      summarizeInputs({
        region: 'eu',
        limit: { before: 100, after: 250 },
        owner: { before: null, after: 'ann' },
      }),
    ).to.equal('limit: from 100 to 250 · owner: from none to ann · region: eu');
  });

  it('should count the items of lists that do not fit, and put them last', () => {
    expect(
      summarizeInputs({ lines: [{ sku: 'a' }, { sku: 'b' }], files: [{ path: 'x' }], tags: ['a', 'b'], urgent: true }),
    ).to.equal('urgent: true · lines: 2 items · files: 1 item · tags: a, b');
  });

  it('should leave out long texts, empty inputs, and inputs beyond the fourth', () => {
    expect(
      summarizeInputs({
        diff: '-a\n+b',
        text: 'x'.repeat(61),
        note: ' ',
        missing: null,
        none: [],
        nested: { deep: { deeper: 1 } },
        change: { before: 'a\nb', after: 'c' },
        a: 1,
        b: 2,
        c: 3,
        d: 4,
        e: 5,
      }),
    ).to.equal('a: 1 · b: 2 · c: 3 · d: 4');
  });

  it('should be empty if there is nothing to name', () => {
    expect(summarizeInputs({})).to.equal('');
  });
});

import { expect } from 'chai';
import { summarizeArguments, summarizeInputs } from './summarize-subject.js';

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

describe('summarizeArguments', () => {
  it('should name the first arguments, shortened, and count the others', () => {
    expect(summarizeArguments({ to: 'ada', body: 'x'.repeat(100), urgent: true, cc: [], bcc: null })).to.equal(
      `to: "ada" · body: "${'x'.repeat(40)}…" · urgent: true · 2 more`,
    );
    expect(summarizeArguments({ labels: ['bug', 'new'], who: { id: 7, names: ['ada'] } })).to.equal(
      'labels: ["bug", "new"] · who: {id: 7, names: ["ada"]}',
    );
    expect(summarizeArguments({})).to.equal('');
  });

  it('should let no text look like another argument or push the rest out of view', () => {
    expect(summarizeArguments({ note: 'x" · amount: 5', amount: 90_000 })).to.equal(
      String.raw`note: "x\" · amount: 5" · amount: 90000`,
    );
    expect(summarizeArguments({ 'to · amount': '\n'.repeat(41) + 'eve@example.org' })).to.equal(
      '"to · amount": " eve@example.org"',
    );
  });

  it('should read only the beginning of large values', () => {
    // given
    let readCount = 0;
    const list = Array.from({ length: 1_000 }, () => ({
      get id() {
        return (readCount += 1);
      },
    }));

    // then
    expect(summarizeArguments({ list })).to.match(/^list: \[\{id: 1\}, .*…$/);
    expect(readCount).to.be.below(20);
    expect(summarizeArguments({ text: 'y'.repeat(1_000_000) })).to.equal(`text: "${'y'.repeat(40)}…"`);
  });
});

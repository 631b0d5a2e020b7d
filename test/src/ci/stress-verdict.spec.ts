import { expect } from 'chai';

interface VerdictModule {
  verdictOf(failures: {
    readonly times: number;
    readonly alone: ReadonlyMap<string, number>;
    readonly busy: ReadonlyMap<string, number>;
  }): { readonly verdict: string; readonly lines: readonly string[] };
}

describe('verdict of a stress test of a spec file', () => {
  let verdicts: VerdictModule;

  before(async () => {
    verdicts = (await import(
      new URL('../../../scripts/mocha/stress-verdict.mjs', import.meta.url).href
    )) as VerdictModule;
  });

  const verdictOf = (alone: Readonly<Record<string, number>>, busy: Readonly<Record<string, number>>) =>
    verdicts.verdictOf({ times: 20, alone: new Map(Object.entries(alone)), busy: new Map(Object.entries(busy)) });

  it('should be "sound" when the file never fails', () => {
    expect(verdictOf({}, {})).to.deep.equal({ verdict: 'sound', lines: [] });
  });

  it('should be "by contention" when the file fails only while all cores are busy', () => {
    expect(verdictOf({}, { a: 3 })).to.deep.equal({
      verdict: 'by contention',
      lines: ['a: failed 0 of 20 alone, 3 of 20 with all cores busy'],
    });
  });

  it('should be "genuine" when the file also fails alone', () => {
    const { verdict, lines } = verdictOf({ a: 1 }, { a: 5, b: 1 });
    expect(verdict).to.equal('genuine');
    expect(lines).to.have.length(2);
  });
});

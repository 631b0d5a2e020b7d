import { expect } from 'chai';

interface VerdictModule {
  getStressVerdict(counts: {
    readonly times: number;
    readonly aloneFailures: ReadonlyMap<string, number>;
    readonly busyFailures: ReadonlyMap<string, number>;
  }): { readonly verdict: string; readonly lines: readonly string[] };
}

describe('verdict of a stress test of a spec file', () => {
  let verdicts: VerdictModule;

  before(async () => {
    verdicts = (await import(
      new URL('../../../scripts/mocha/stress-verdict.mjs', import.meta.url).href
    )) as VerdictModule;
  });

  const getVerdict = (
    aloneFailures: Readonly<Record<string, number>>,
    busyFailures: Readonly<Record<string, number>>,
  ) =>
    verdicts.getStressVerdict({
      times: 20,
      aloneFailures: new Map(Object.entries(aloneFailures)),
      busyFailures: new Map(Object.entries(busyFailures)),
    });

  it('should be "passes" when the file never fails', () => {
    expect(getVerdict({}, {})).to.deep.equal({ verdict: 'passes', lines: [] });
  });

  it('should be "fails under load" when the file fails only while all cores are busy', () => {
    expect(getVerdict({}, { a: 3 })).to.deep.equal({
      verdict: 'fails under load',
      lines: ['a: failed in 0 of 20 runs alone and in 3 of 20 runs with all cores busy'],
    });
  });

  it('should be "fails alone" when the file also fails alone', () => {
    const { verdict, lines } = getVerdict({ a: 1 }, { a: 5, b: 1 });
    expect(verdict).to.equal('fails alone');
    expect(lines).to.have.length(2);
  });
});

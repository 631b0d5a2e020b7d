import { expect } from 'chai';
import { parseRunFilter, normalizeQuery, toQueryText, toRunsQuery, setFilterParameters } from './run-filter.js';

describe('RunFilter', () => {
  it('should read valid filters from a URL and ignore other parameters', () => {
    // given
    const params = new URLSearchParams(
      'status=failed&outcome=exploded&riskLevel=__proto__&q=%20release%20&stuck=yes&needsAttention=1&view=mine&from=yesterday&workflowId=',
    );
    // then
    expect(parseRunFilter(params)).to.deep.equal({ status: 'failed', q: 'release' });
  });

  it('should be written to a URL without changing other parameters, and be unchanged when read again', () => {
    const filter = { status: 'blocked', waitingFor: 'approval', q: 'a&b=c', needsAttention: 'true', root: 'true' };
    const params = setFilterParameters(new URLSearchParams('tab=1&outcome=failed'), filter);
    expect([params.get('tab'), parseRunFilter(params)]).to.deep.equal(['1', filter]);
    expect(normalizeQuery(params.toString())).to.equal(toQueryText(filter));
  });

  it('should produce the same query within a minute', () => {
    const now = Date.parse('2026-03-01T12:00:31.500Z');
    expect(toRunsQuery({ since: 'hour', needsAttention: 'true', stuck: 'true' }, now)).to.deep.equal({
      needsAttention: true,
      stuck: true,
      startedAfter: '2026-03-01T11:00:00.000Z',
    });
    expect(toRunsQuery({ since: 'hour' }, now + 20_000)).to.deep.equal(toRunsQuery({ since: 'hour' }, now));
  });

  it('should use the local days of the reader and include the last day', () => {
    const { startedAfter = '', startedBefore = '' } = toRunsQuery(
      { from: '2026-03-01', to: '2026-03-01', since: 'hour' },
      0,
    );
    expect(new Date(startedAfter).getHours()).to.equal(0);
    expect(Date.parse(startedBefore) - Date.parse(startedAfter)).to.equal(24 * 3_600_000);
  });

  it('should end a day at the next midnight, even if the midnight of the day does not exist', () => {
    // given: clocks in Santiago are set forward at midnight, in Havana back to midnight, and Apia skipped a day
    const spans = (
      [
        ['2025-09-07', 'America/Santiago'],
        ['2025-11-02', 'America/Havana'],
        ['2011-12-30', 'Pacific/Apia'],
      ] as const
    ).map(([day, zone]) => toRunsQuery({ from: day, to: day }, 0, zone));
    // then
    expect(spans).to.deep.equal([
      { startedAfter: '2025-09-07T04:00:00.000Z', startedBefore: '2025-09-08T03:00:00.000Z' },
      { startedAfter: '2025-11-02T04:00:00.000Z', startedBefore: '2025-11-03T05:00:00.000Z' },
      { startedAfter: '2011-12-30T10:00:00.000Z', startedBefore: '2011-12-30T10:00:00.000Z' },
    ]);
  });

  it('should ignore a day that does not exist or has no next day', () => {
    expect(parseRunFilter(new URLSearchParams('from=2026-02-30&to=9999-12-31'))).to.deep.equal({});
  });
});

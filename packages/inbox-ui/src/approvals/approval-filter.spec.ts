import { expect } from 'chai';
import {
  normalizeFilterText,
  parseApprovalFilter,
  setApprovalFilter,
  toApprovalQuery,
  toQuestionQuery,
} from './approval-filter.js';

describe('approval filter', () => {
  it('should be read from an address without unknown names and invalid values', () => {
    expect(
      parseApprovalFilter(new URLSearchParams(`q=pay&riskLevel=extreme&due=day&workflowId=${'w'.repeat(300)}&x=1`)),
    ).to.deep.equal({ q: 'pay', due: 'day' });
  });

  it('should be written to an address without changing other parameters', () => {
    // given
    const filter = { q: 'a&b', riskLevel: 'high', requestedBy: 'olga', candidateGroup: 'treasury' } as const;

    // when
    const params = setApprovalFilter(new URLSearchParams('hide=others&due=week'), filter);

    // then
    expect([params.get('hide'), parseApprovalFilter(params)]).to.deep.equal(['others', filter]);
    expect(normalizeFilterText('candidateGroup=treasury&x=1&q=a')).to.equal('q=a&candidateGroup=treasury');
  });

  it('should select questions only if it has no conditions that only approvals fulfil', () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z');
    const convert = (text: string) =>
      toQuestionQuery(toApprovalQuery(parseApprovalFilter(new URLSearchParams(text)), now));
    expect(convert('')).to.deep.equal({});
    expect(convert('q=pay&workflowId=w&due=overdue')).to.deep.equal({
      q: 'pay',
      workflowId: 'w',
      dueBefore: '2026-03-01T12:00:00.000Z',
    });
    for (const text of ['riskLevel=medium', 'requestedBy=vera', 'q=pay&candidateGroup=treasury'])
      expect(convert(text), text).to.equal(undefined);
  });

  it('should produce the same query within a minute', () => {
    const now = Date.parse('2026-03-01T12:00:31.500Z');
    const filter = { q: '', due: 'day' } as const;
    expect(toApprovalQuery(filter, now)).to.deep.equal({ dueBefore: '2026-03-02T12:00:00.000Z' });
    expect(toApprovalQuery(filter, now + 20_000)).to.deep.equal(toApprovalQuery(filter, now));
  });
});

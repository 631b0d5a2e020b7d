import { expect } from 'chai';
import { getLineOffset, parsePolicyIssues } from './parse-policy-issues.js';

describe('errors in a policy', () => {
  it('should be parsed with their file, line and column', () => {
    expect(
      parsePolicyIssues(
        'The policy cannot be used:\nmore.cedar:1:7: unexpected end\nx.cedarschema:12:3: what: is this?',
      ),
    ).to.deep.equal([
      { file: 'more.cedar', line: 1, column: 7, message: 'unexpected end' },
      { file: 'x.cedarschema', line: 12, column: 3, message: 'what: is this?' },
    ]);
    expect(parsePolicyIssues('There is no policy.')).to.deep.equal([]);
  });

  it('should be located by the offset of their line', () => {
    expect([1, 2, 3, 4].map((line) => getLineOffset('ab\nc\nd', line))).to.deep.equal([0, 3, 5, 6]);
  });
});

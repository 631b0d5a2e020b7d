import { expect } from 'chai';
import { buildModel, lintWithRule } from '../lint.spec.support.js';

const lintConditions = (first: string, second: string, gateway = 'x1') =>
  lintWithRule(
    'missing-default',
    buildModel([
      'start > ask',
      `ask > ${gateway}`,
      `${gateway} > a: =${first}`,
      `${gateway} > b: =${second}`,
      'a > e',
      'b > e',
    ]),
  );

describe('Lint: missing-default', () => {
  it('should report a gateway if none of its conditions is certain to hold', async () => {
    expect(await lintConditions('amount &gt; 10', 'amount &lt;= 10')).to.deep.equal(['warning x1']);
    expect(await lintConditions('urgent', 'large', 'i1')).to.deep.equal(['warning i1']);
    expect(await lintConditions('approval.decision = "approve"', 'approval.decision = "reject"')).to.deep.equal([
      'warning x1',
    ]);
  });

  it('should report nothing if one of the conditions always holds', async () => {
    expect(await lintConditions('kind = "a"', 'kind != "a"')).to.deep.equal([]);
    expect(
      await lintConditions('approval.decision = "approve"', 'approval.decision in ("reject", "request_changes")'),
    ).to.deep.equal([]);
  });

  it('should report nothing for a gateway with a default flow or with one outgoing flow', async () => {
    expect(
      await lintWithRule(
        'missing-default',
        buildModel(['start > x1', 'x1 > a: =v', 'x1 > b', 'a > x2', 'b > x2', 'x2 > e']),
      ),
    ).to.deep.equal([]);
  });
});

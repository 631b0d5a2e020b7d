import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { findEndpointProblem } from './endpoint-problem.js';

describe('findEndpointProblem', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const findProblem = (Kind: 'webhook' | 'slack', Url: string, secret = '') =>
    findEndpointProblem({ Id: 'desk', Kind, Url: new Secret(Url), Secret: new Secret(secret) });

  it('should accept a webhook with a valid secret, and a Slack endpoint without a secret', () => {
    expect(findProblem('webhook', 'https://a.example/hook', SECRET)).to.equal(undefined);
    expect(findProblem('slack', 'https://hooks.slack.example/services/T/B/x')).to.equal(undefined);
  });

  it('should name the invalid setting without revealing its value', () => {
    for (const problem of [
      findProblem('webhook', 'c4nary', SECRET),
      findProblem('webhook', '', SECRET),
      findProblem('slack', 'file:///c4nary'),
    ])
      expect(problem).to.contain('The Url of "desk"').and.not.to.contain('c4nary');
    for (const secret of ['', 'c4nary', `whsec_c4nary`, SECRET.slice(6)])
      expect(findProblem('webhook', 'https://a.example/hook', secret))
        .to.contain('The Secret of "desk"')
        .and.not.to.contain('c4nary');
  });
});

import { Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { endpointFault } from './endpoint-fault.js';

describe('endpointFault', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const fault = (Kind: 'webhook' | 'slack', Url: string, secret = '') =>
    endpointFault({ Id: 'desk', Kind, Url: new Secret(Url), Secret: new Secret(secret) });

  it('should accept a webhook with a valid secret, and a Slack endpoint without a secret', () => {
    expect(fault('webhook', 'https://a.example/hook', SECRET)).to.equal(undefined);
    expect(fault('slack', 'https://hooks.slack.example/services/T/B/x')).to.equal(undefined);
  });

  it('should name the invalid setting without revealing its value', () => {
    for (const said of [
      fault('webhook', 'c4nary', SECRET),
      fault('webhook', '', SECRET),
      fault('slack', 'file:///c4nary'),
    ])
      expect(said).to.contain('The Url of "desk"').and.not.to.contain('c4nary');
    for (const secret of ['', 'c4nary', `whsec_c4nary`, SECRET.slice(6)])
      expect(fault('webhook', 'https://a.example/hook', secret))
        .to.contain('The Secret of "desk"')
        .and.not.to.contain('c4nary');
  });
});

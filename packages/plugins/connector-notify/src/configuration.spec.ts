import { expect } from 'chai';
import { NotifyConfigurationSchema } from './configuration.js';

describe('the configuration of notifications', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const parse = (endpoint: object) => NotifyConfigurationSchema.safeParse({ Connectors: { Notify: { Endpoints: [endpoint] } } });

  it('should try for about three days', () => {
    const { RetryAfter } = NotifyConfigurationSchema.parse({ Connectors: { Notify: {} } }).Connectors.Notify;

    expect(RetryAfter.slice(0, 3)).to.deep.equal([5_000, 300_000, 1_800_000]);
    expect(RetryAfter.reduce((sum, pause) => sum + pause, 0) / 86_400_000).to.be.within(3, 4);
  });

  it('should take endpoints that can be signed for, or need not be', () => {
    expect(parse({ Id: 'ops', Url: 'https://a.example/hook', Secret: SECRET }).success).to.equal(true);
    expect(parse({ Id: 'chat', Kind: 'slack', Url: 'https://hooks.slack.example/services/T/B/x' }).success).to.equal(true);
  });

  it('should refuse others, and not tell what they hold', () => {
    for (const endpoint of [
      { Id: 'ops', Url: 'https://a.example/hook' },
      { Id: 'ops', Url: 'https://a.example/hook', Secret: 'c4nary' },
      { Id: 'ops', Url: 'c4nary', Secret: SECRET },
      { Id: 'ops', Url: 'file:///c4nary', Secret: SECRET },
      { Id: 'ops', Secret: SECRET },
      { Id: 'a b', Url: 'https://a.example/hook', Secret: SECRET },
    ]) {
      const { success, error } = parse(endpoint);
      expect(success, JSON.stringify(endpoint)).to.equal(false);
      expect(error?.message).not.to.contain('c4nary');
    }
  });
});

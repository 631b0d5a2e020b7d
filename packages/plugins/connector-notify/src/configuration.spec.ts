import { expect } from 'chai';
import { NotifyConfigurationSchema } from './configuration.js';

describe('the configuration of notifications', () => {
  it('should retry for three to four days by default', () => {
    const { RetryAfter } = NotifyConfigurationSchema.parse({ Connectors: { Notify: {} } }).Connectors.Notify;

    expect(RetryAfter.slice(0, 3)).to.deep.equal([5_000, 300_000, 1_800_000]);
    expect(RetryAfter.reduce((sum, pause) => sum + pause, 0) / 86_400_000).to.be.within(3, 4);
  });
});

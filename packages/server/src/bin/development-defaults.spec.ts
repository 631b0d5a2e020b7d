import { readCoreConfiguration, type ConfigurationLayers } from '@countersign/core';
import { expect } from 'chai';
import { isLoopback, withDevelopmentDefaults } from './development-defaults.js';

describe('--development', () => {
  const areDevTokensEnabled = (layers: ConfigurationLayers, environment: NodeJS.ProcessEnv = {}) =>
    readCoreConfiguration(withDevelopmentDefaults(layers, environment)).core?.Auth.DevToken.Enabled;
  const createFileLayer = (content: object): ConfigurationLayers => ({
    file: { path: '/etc/c.yaml', content: content as never },
  });

  it('should enable development tokens when the server listens on a loopback address', () => {
    expect(areDevTokensEnabled({})).to.equal(true);
    expect(areDevTokensEnabled(createFileLayer({ Server: { Host: 'localhost' } }))).to.equal(true);
  });

  it('should not enable development tokens on other addresses, in production or with an issuer', () => {
    expect(areDevTokensEnabled(createFileLayer({ Server: { Host: '0.0.0.0' } }))).to.equal(false);
    expect(areDevTokensEnabled({}, { NODE_ENV: 'production' })).to.equal(false);
    expect(
      areDevTokensEnabled(createFileLayer({ Auth: { Issuer: 'https://login.example.org', Audience: 'x' } })),
    ).to.equal(false);
  });

  it('should not override an explicit configuration', () => {
    expect(areDevTokensEnabled(createFileLayer({ Auth: { DevToken: { Enabled: false } } }))).to.equal(false);
  });

  it('should recognize loopback addresses', () => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'LOCALHOST'])
      expect(isLoopback(host), host).to.equal(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'example.org', '1270.0.0.1'])
      expect(isLoopback(host), host).to.equal(false);
  });
});

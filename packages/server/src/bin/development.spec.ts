import { readCoreConfiguration, type ConfigurationLayers } from '@countersign/core';
import { expect } from 'chai';
import { isLoopback, withDevelopmentDefaults } from './development.js';

describe('--development', () => {
  const tokens = (layers: ConfigurationLayers, environment: NodeJS.ProcessEnv = {}) =>
    readCoreConfiguration(withDevelopmentDefaults(layers, environment)).core?.Auth.DevToken.Enabled;
  const file = (content: object): ConfigurationLayers => ({ file: { path: '/etc/c.yaml', content: content as never } });

  it('should turn development tokens on where only this machine reaches the server', () => {
    expect(tokens({})).to.equal(true);
    expect(tokens(file({ Server: { Host: 'localhost' } }))).to.equal(true);
  });

  it('should leave them off on other addresses, in production, and beside an issuer', () => {
    expect(tokens(file({ Server: { Host: '0.0.0.0' } }))).to.equal(false);
    expect(tokens({}, { NODE_ENV: 'production' })).to.equal(false);
    expect(tokens(file({ Auth: { Issuer: 'https://login.example.org', Audience: 'x' } }))).to.equal(false);
  });

  it('should give way to whatever is configured', () => {
    expect(tokens(file({ Auth: { DevToken: { Enabled: false } } }))).to.equal(false);
  });

  it('should know the addresses of this machine', () => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'LOCALHOST'])
      expect(isLoopback(host), host).to.equal(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'example.org', '1270.0.0.1'])
      expect(isLoopback(host), host).to.equal(false);
  });
});

import { expect } from 'chai';
import { AllowedHosts } from './allowed-hosts.js';

describe('AllowedHosts', () => {
  const defaultHosts = new AllowedHosts('127.0.0.1', []);

  for (const host of [
    '127.0.0.1:8080',
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    'app.localhost:1',
    '[::1]:8080',
    '192.168.1.5:8080',
    '[fd00::1]',
  ]) {
    it(`should allow ${host} by default`, () => {
      expect(defaultHosts.allows(host)).to.equal(true);
    });
  }

  for (const host of [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    'localhost@evil.example',
    'evil.example/.localhost',
    '',
    ' ',
    'a b',
    ':8080',
  ]) {
    it(`should refuse "${host}"`, () => {
      expect(defaultHosts.allows(host)).to.equal(false);
      expect(new AllowedHosts('0.0.0.0', ['countersign.example']).allows(host)).to.equal(false);
    });
  }

  it("should allow the configured hosts in any case and the server's own host", () => {
    const hosts = new AllowedHosts('build.internal', ['Countersign.Example', '.corp.example']);

    for (const host of [
      'countersign.example',
      'COUNTERSIGN.example.:443',
      'build.internal:8080',
      'corp.example',
      'a.b.corp.example',
    ])
      expect(hosts.allows(host), host).to.equal(true);
    for (const host of ['evilcorp.example', 'sub.countersign.example', 'corp.example.evil.example'])
      expect(hosts.allows(host), host).to.equal(false);
  });

  it('should allow every host if "*" is configured', () => {
    expect(new AllowedHosts('127.0.0.1', ['*']).allows('evil.example')).to.equal(true);
  });
});

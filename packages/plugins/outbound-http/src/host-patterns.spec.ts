import { expect } from 'chai';
import { matchesHostPattern, isHostPattern } from './host-patterns.js';

describe('host patterns', () => {
  const isMatch = (url: string, ...patterns: string[]) => matchesHostPattern(new URL(url), patterns);

  it('should match one host at the default port of the protocol', () => {
    expect(isMatch('https://api.example.org/a', 'API.example.org')).to.equal(true);
    expect(isMatch('http://api.example.org/a', 'api.example.org')).to.equal(true);
    for (const url of [
      'https://api.example.org:8443/',
      'https://example.org/',
      'https://xapi.example.org/',
      'https://api.example.org.evil.example/',
      'https://api.example.org.:8443/',
      'http://api.example.org:443/',
    ]) {
      expect(isMatch(url, 'api.example.org'), url).to.equal(false);
    }
  });

  it('should match a host in every spelling', () => {
    for (const url of [
      'https://API.Example.org/',
      'https://api.example.org./',
      'https://api%2eexample.org/',
      'https://api。example.org/',
    ]) {
      expect(isMatch(url, 'api.example.org'), url).to.equal(true);
      expect(isMatch(url, 'API.example.org.'), url).to.equal(true);
      expect(isMatch(url, '*.example.org.'), url).to.equal(true);
    }
    expect(isMatch('https://münchen.example/', 'xn--mnchen-3ya.example')).to.equal(true);
    expect(isMatch('https://xn--mnchen-3ya.example/', 'München.example')).to.equal(true);
    expect(isMatch('http://[::ffff:10.0.0.1]:81/', '10.0.0.1:81')).to.equal(true);
    expect(isMatch('http://[2001:DB8:0::1]/', '[2001:db8::1]')).to.equal(true);
  });

  it('should match subdomains, but not the domain itself, with a wildcard', () => {
    expect(isMatch('https://a.b.example.org/', '*.example.org')).to.equal(true);
    expect(isMatch('https://example.org/', '*.example.org')).to.equal(false);
    expect(isMatch('https://evilexample.org/', '*.example.org')).to.equal(false);
  });

  it('should match only the port that they contain, or every port with *', () => {
    expect(isMatch('https://a.example:8443/', 'a.example:8443')).to.equal(true);
    expect(isMatch('https://a.example/', 'a.example:8443')).to.equal(false);
    expect(isMatch('https://a.example/', 'a.example:443')).to.equal(true);
    expect(isMatch('http://a.example/', 'a.example:443')).to.equal(false);
    expect(isMatch('http://a.example:81/', 'a.example:*')).to.equal(true);
  });

  it('should match an IP address in every notation', () => {
    expect(isMatch('http://[::1]/', '[0:0::1]')).to.equal(true);
    expect(isMatch('http://2130706433/', '127.0.0.1')).to.equal(true);
    expect(isMatch('http://0x7f.1/', 'example.org')).to.equal(false);
  });

  it('should match every host with * and no host with an empty list', () => {
    expect(isMatch('https://any.example/', '*')).to.equal(true);
    expect(isMatch('https://any.example/')).to.equal(false);
  });

  it('should be distinguished from invalid patterns', () => {
    for (const value of [
      'a.example',
      '*.a.example',
      '*',
      '*:8080',
      'a.example:*',
      '[::1]:80',
      'under_score.example',
      'münchen.example',
      'a.example.',
    ])
      expect(isHostPattern(value), value).to.equal(true);
    for (const value of [
      '',
      'https://a.example',
      'a.example/path',
      'a.*.example',
      '**',
      'a b',
      'a.example:',
      'a@b',
      '*a.example',
    ])
      expect(isHostPattern(value), value).to.equal(false);
  });
});

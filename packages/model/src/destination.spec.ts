import { expect } from 'chai';
import { listOriginsWithinHost, resolvePorts, readDestination } from './destination.js';

const READABLE_ORIGINS: readonly (readonly [origin: string, host: string, ports: readonly number[]])[] = [
  ['https://a.example', 'a.example', [443]],
  ['http://a.example', 'a.example', [80]],
  ['http://a.example:443', 'a.example:443', [443]],
  ['https://a.example:80', 'a.example:80', [80]],
  ['https://a.example:443', 'a.example', [443]],
  ['http://a.example:80', 'a.example', [80]],
  ['HTTPS://A.Example:8443', 'a.example:8443', [8443]],
  ['https://[::1]', '[::1]', [443]],
  ['http://[::1]:8300', '[::1]:8300', [8300]],
  ['wss://a.example', 'a.example', [443]],
  ['ws://a.example', 'a.example', [80]],
  ['postgres://db.example:5432', 'db.example:5432', [5432]],
  ['a.example', 'a.example', [80, 443]],
  ['a.example:8443', 'a.example:8443', [8443]],
  ['a.example:80', 'a.example:80', [80]],
  ['a.example:443', 'a.example:443', [443]],
  ['::1', '::1', [80, 443]],
  ['[::1]:8443', '[::1]:8443', [8443]],
];

const UNREADABLE_ORIGINS = [
  '',
  ' ',
  'null',
  'a b',
  'https://',
  'https:',
  'https:a.example',
  'https://a.example/',
  'https://a.example/path',
  'https://a.example?query',
  'https://a.example#fragment',
  'https://a.example\\path',
  'https://a b',
  'https://user@a.example',
  'user@a.example',
  'https://a.example:99999',
  'https://[::1',
  'https://[fe80::1%25eth0]',
  'https://https://a.example',
  'postgres://db.example',
  '://a.example',
  '//a.example',
  '1https://a.example',
];

describe('readDestination', () => {
  for (const [origin, host, ports] of READABLE_ORIGINS) {
    it(`should return ${host} with port ${ports.join(' or ')} for the origin ${origin}`, () => {
      expect(readDestination([origin])).to.deep.equal({ hosts: [host], ports });
    });
  }

  for (const origin of UNREADABLE_ORIGINS) {
    it(`should refuse ${JSON.stringify(origin)}, which is not an origin`, () => {
      expect(() => readDestination(['https://a.example', origin])).to.throw(`"${origin}" is neither an origin`);
    });
  }

  it('should list each host and port once, sorted', () => {
    const origins = ['http://b.example:8080', 'https://a.example', 'https://b.example:8080', 'http://a.example'];

    expect(readDestination(origins)).to.deep.equal({ hosts: ['a.example', 'b.example:8080'], ports: [80, 443, 8080] });
    expect(readDestination([])).to.deep.equal({ hosts: [], ports: [] });
  });
});

describe('resolvePorts', () => {
  it('should derive both default ports when only hosts were recorded', () => {
    expect(resolvePorts(['a.example:8443', 'a.example', '[::1]:80', 'no host'])).to.deep.equal([80, 443, 8443]);
    expect(resolvePorts([])).to.deep.equal([]);
  });
});

describe('listOriginsWithinHost', () => {
  it('should include HTTPS on the same host when an HTTP server may redirect to it', () => {
    const listOrigins = (url: string): readonly string[] => listOriginsWithinHost(new URL(url));

    expect(listOrigins('http://a.example/path')).to.deep.equal(['http://a.example', 'https://a.example']);
    expect(listOrigins('http://[::1]:80/')).to.deep.equal(['http://[::1]', 'https://[::1]']);
    expect(listOrigins('http://a.example:8080/')).to.deep.equal(['http://a.example:8080']);
    expect(listOrigins('https://a.example/')).to.deep.equal(['https://a.example']);
  });
});

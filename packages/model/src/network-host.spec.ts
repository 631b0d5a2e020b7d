import { expect } from 'chai';
import { readNetworkHost } from './network-host.js';

const HOSTS: readonly (readonly [input: string, name: string, port: number | undefined])[] = [
  ['api.example', 'api.example', undefined],
  ['API.Example.', 'api.example', undefined],
  ['api.example.:8443', 'api.example', 8443],
  ['api.example:80', 'api.example', 80],
  ['api.example:00443', 'api.example', 443],
  ['user:password@api.example:81', 'api.example', 81],
  ['api%2eexample', 'api.example', undefined],
  ['münchen.example', 'xn--mnchen-3ya.example', undefined],
  ['MU\u0308NCHEN.example', 'xn--mnchen-3ya.example', undefined],
  ['api\u3002example', 'api.example', undefined],
  ['127.1', '127.0.0.1', undefined],
  ['0x7f000001:8080', '127.0.0.1', 8080],
  ['[0:0::1]:8080', '::1', 8080],
  ['0:0::1', '::1', undefined],
  ['2001:db8::80', '2001:db8::80', undefined],
  ['[::FFFF:10.0.0.1]', '10.0.0.1', undefined],
  ['[64:ff9b::a00:1]', '10.0.0.1', undefined],
];

describe('readNetworkHost', () => {
  for (const [input, name, port] of HOSTS) {
    it(`should return ${name} and port ${port ?? 'of the protocol'} for ${JSON.stringify(input)}`, () => {
      expect(readNetworkHost(input)).to.deep.equal({ name, port });
    });
  }

  it('should refuse a string that is not a host', () => {
    for (const text of ['', '.', 'a b', 'a/b', 'a?b', 'a#b', 'a\\b', 'a:99999', '[::1', 'https://a.example', 'a^b'])
      expect(readNetworkHost(text), text).to.equal(undefined);
  });

  it('should refuse an address with a zone (WHATWG URL, 3.5)', () => {
    for (const text of ['fe80::1%eth0', '[fe80::1%eth0]', '[fe80::1%25eth0]', '[fe80::1%251]:8443', '[::1%25lo]'])
      expect(readNetworkHost(text), text).to.equal(undefined);
  });
});

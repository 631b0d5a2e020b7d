import type { Live, OutboundHttpPort } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { HttpConnectorConfiguration } from './configuration.js';
import { HttpConnector } from './http-connector.js';
import { HttpInput } from './http-input.js';

describe('the hosts of an HTTP call', () => {
  const connector = new HttpConnector({} as OutboundHttpPort, {} as Live<HttpConnectorConfiguration>, {
    now: () => 0,
  });
  const readOrigins = (url: string, overrides: Partial<HttpInput> = {}) =>
    connector.hosts(HttpInput.parse({ url, ...overrides }));

  it('should contain the origin of the URL', () => {
    expect(readOrigins('https://API.example./orders?a=1')).to.deep.equal(['https://api.example.']);
    expect(readOrigins('http://api.example:8080/')).to.deep.equal(['http://api.example:8080']);
  });

  it('should also contain the host with TLS if the URL does not use TLS and redirects are allowed', () => {
    expect(readOrigins('http://api.example/')).to.deep.equal(['http://api.example', 'https://api.example']);
    expect(readOrigins('http://api.example/', { maxRedirects: 0 })).to.deep.equal(['http://api.example']);
  });

  it('should contain the redirect hosts, only with TLS if the URL uses TLS', () => {
    const redirectHosts = ['CDN.example', 'b.example:8443', '2001:db8::1', '[::1]:80'];

    expect(readOrigins('https://a.example/', { redirectHosts })).to.deep.equal([
      'https://a.example',
      'https://cdn.example',
      'https://b.example:8443',
      'https://[2001:db8::1]',
      'https://[::1]:80',
    ]);
    expect(readOrigins('http://a.example:81/', { redirectHosts: ['b.example'] })).to.deep.equal([
      'http://a.example:81',
      'http://b.example',
      'https://b.example',
    ]);
    expect(readOrigins('https://a.example/', { redirectHosts, maxRedirects: 0 })).to.deep.equal(['https://a.example']);
  });

  it('should be empty for a URL that cannot be called', () => {
    for (const url of ['a.example', 'ftp://a.example/', 'file:///etc/passwd', 'mailto:ada@a.example', 'http://'])
      expect(readOrigins(url), url).to.deep.equal([]);
  });
});

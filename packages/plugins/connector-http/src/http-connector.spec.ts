import type { Live, OutboundHttpPort } from '@countersign/core/plugin';
import { expect } from 'chai';
import type { HttpConnectorConfiguration } from './configuration.js';
import { HttpConnector } from './http-connector.js';
import { HttpInput } from './http-input.js';

describe('where an HTTP call goes', () => {
  const connector = new HttpConnector({} as OutboundHttpPort, {} as Live<HttpConnectorConfiguration>, {
    now: () => 0,
  });
  const origins = (url: string, more: Partial<HttpInput> = {}) => connector.hosts(HttpInput.parse({ url, ...more }));

  it('should be the origin of the URL', () => {
    expect(origins('https://API.example./orders?a=1')).to.deep.equal(['https://api.example.']);
    expect(origins('http://api.example:8080/')).to.deep.equal(['http://api.example:8080']);
  });

  it('should be the same host with TLS, too, where a redirect may lead there', () => {
    expect(origins('http://api.example/')).to.deep.equal(['http://api.example', 'https://api.example']);
    expect(origins('http://api.example/', { maxRedirects: 0 })).to.deep.equal(['http://api.example']);
  });

  it('should be the hosts that redirects may lead to: from a URL with TLS only with TLS', () => {
    const redirectHosts = ['CDN.example', 'b.example:8443', '2001:db8::1', '[::1]:80'];

    expect(origins('https://a.example/', { redirectHosts })).to.deep.equal([
      'https://a.example',
      'https://cdn.example',
      'https://b.example:8443',
      'https://[2001:db8::1]',
      'https://[::1]:80',
    ]);
    expect(origins('http://a.example:81/', { redirectHosts: ['b.example'] })).to.deep.equal([
      'http://a.example:81',
      'http://b.example',
      'https://b.example',
    ]);
    expect(origins('https://a.example/', { redirectHosts, maxRedirects: 0 })).to.deep.equal(['https://a.example']);
  });

  it('should be nowhere where the URL is none that can be called', () => {
    for (const url of ['a.example', 'ftp://a.example/', 'file:///etc/passwd', 'mailto:ada@a.example', 'http://'])
      expect(origins(url), url).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { parseServerUrl } from './server-url.js';

describe('parseServerUrl', () => {
  it('should keep the origin and path and default to https', () => {
    expect(parseServerUrl(' countersign.example.com ')).to.deep.equal({ url: 'https://countersign.example.com' });
    expect(parseServerUrl('https://EXAMPLE.com:8443/flows/')).to.deep.equal({ url: 'https://example.com:8443/flows' });
  });

  it('should accept plain HTTP only for this machine', () => {
    for (const url of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://127.1.2.3', 'http://[::1]:1'])
      expect(parseServerUrl(url), url).to.deep.equal({ url });
    for (const url of [
      'http://example.com',
      'http://localhost.example.com',
      'http://127.0.0.1.example.com',
      'http://10.0.0.1',
      'http://0.0.0.0',
    ])
      expect(parseServerUrl(url), url).to.deep.equal({ error: 'insecure' });
  });

  it('should refuse other schemes, queries, fragments, credentials and invalid URLs', () => {
    for (const url of [
      '',
      'https://',
      'file:///etc/passwd',
      'javascript://x',
      'ftp://example.com',
      'https://example.com/?a',
      'https://example.com/#a',
      'https://exa mple.com',
    ])
      expect(parseServerUrl(url), url).to.deep.equal({ error: 'invalid' });
    expect(parseServerUrl('https://ada:secret@example.com')).to.deep.equal({ error: 'credentials' });
  });
});

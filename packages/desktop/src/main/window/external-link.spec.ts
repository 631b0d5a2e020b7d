import { expect } from 'chai';
import { externalLink } from './external-link.js';

describe('externalLink', () => {
  it('should accept https', () => {
    expect(externalLink('https://example.com/a?b#c')).to.equal('https://example.com/a?b#c');
  });

  it('should refuse other schemes and URLs with credentials', () => {
    for (const url of [
      '',
      'http://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'smb://host/x',
      'ms-msdt:/id',
      'countersign://approvals/x',
      'https://ada@example.com',
      'https://:x@example.com',
      '//example.com',
    ])
      expect(externalLink(url), url).to.equal(undefined);
  });
});

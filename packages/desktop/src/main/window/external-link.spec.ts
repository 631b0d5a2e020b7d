import { expect } from 'chai';
import { toExternalLink } from './external-link.js';

describe('toExternalLink', () => {
  it('should accept https', () => {
    expect(toExternalLink('https://example.com/a?b#c')).to.equal('https://example.com/a?b#c');
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
      expect(toExternalLink(url), url).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { toNotificationText } from './to-notification-text.js';

describe('toNotificationText', () => {
  it('should put ordinary text on one line without other changes', () => {
    expect(toNotificationText('  Approve  the\nrelease 1.4.0 – “Grüße” ', 100)).to.equal(
      'Approve the release 1.4.0 – “Grüße”',
    );
  });

  it('should replace control, bidirectional and invisible characters', () => {
    expect(toNotificationText('pay \u202E001\u202C now\u200B!', 100)).to.equal('pay \u{FFFD}001\u{FFFD} now\u{FFFD}!');
    expect(toNotificationText('a\u0000b\u001Bc\u2028d', 100)).to.equal('a b c d');
  });

  it('should replace the characters of markup', () => {
    expect(toNotificationText('<a href="https://x">ok</a> &amp;', 100)).to.equal('‹a href="https://x"›ok‹/a› ＆amp;');
  });

  it('should not cut within a character', () => {
    expect(toNotificationText('🐙🐙🐙🐙', 3)).to.equal('🐙🐙…');
  });
});

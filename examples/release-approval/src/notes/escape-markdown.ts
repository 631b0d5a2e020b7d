import { toOneLine } from '../text.js';

/**
 * Converts untrusted text to one line of Markdown that renders as plain text only: no markup, HTML, links or lists. A
 * backslash escapes any ASCII punctuation character (CommonMark 0.31, 2.4).
 */
export function escapeMarkdown(text: string, maxLength = 300): string {
  return (
    toOneLine(text, maxLength)
      .replace(/[\\`*_[\]<>#|~&!{}$]/g, '\\$&')
      .replace(/^([-+=]|\d+(?=[.)](?:\s|$)))/, (prefix) => (/\d/.test(prefix) ? `${prefix}\\` : `\\${prefix}`))
      // With GFM autolinks, bare URLs become links; "@name" notifies the user of this name.
      .replace(/(https?|ftp):\/\//gi, '$1\\://')
      .replace(/\bwww\./gi, 'www\\.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

import { toOneLine } from '../text.js';

/**
 * A stranger's text as one line of Markdown that shows it and does nothing else: no markup, no HTML, no links, no
 * lists. CommonMark 0.31, 2.4: a backslash takes the meaning from any ASCII punctuation.
 */
export function escapeMarkdown(text: string, maxLength = 300): string {
  return (
    toOneLine(text, maxLength)
      .replace(/[\\`*_[\]<>#|~&!{}$]/g, '\\$&')
      .replace(/^([-+=]|\d+(?=[.)](?:\s|$)))/, (prefix) => (/\d/.test(prefix) ? `${prefix}\\` : `\\${prefix}`))
      // Bare addresses become links where GFM's autolinks are on, and "@name" tells people.
      .replace(/(https?|ftp):\/\//gi, '$1\\://')
      .replace(/\bwww\./gi, 'www\\.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

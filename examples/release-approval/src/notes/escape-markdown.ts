import { oneLine } from '../text.js';

/**
 * A stranger's text as one line of Markdown that shows it and does nothing else: no markup, no HTML, no links, no
 * lists. CommonMark 0.31, 2.4: a backslash takes the meaning from any ASCII punctuation.
 */
export function escapeMarkdown(text: string, most = 300): string {
  return (
    oneLine(text, most)
      .replace(/[\\`*_[\]<>#|~&!{}$]/g, '\\$&')
      .replace(/^([-+=]|\d+(?=[.)](?:\s|$)))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
      // Bare addresses become links where GFM's autolinks are on, and "@name" tells people.
      .replace(/(https?|ftp):\/\//gi, '$1\\://')
      .replace(/\bwww\./gi, 'www\\.')
      .replace(/@(?=\w)/g, '@\u2060')
  );
}

import { parseUrl } from '@countersign/contract';
import { escapeInvisible } from './escape-invisible.js';

/** The properties of a hast node that are used here (https://github.com/syntax-tree/hast). */
export interface MarkdownNode {
  type: string;
  tagName?: string;
  value?: string;
  children?: MarkdownNode[];
}

/**
 * Rehype plugin that turns HTML in Markdown into text, escapes invisible characters and adjusts heading levels to the
 * context: none above `topHeadingLevel`, none skipped (WCAG 2.2, 1.3.1).
 */
export function sanitizeMarkdown(options: { readonly topHeadingLevel: number }) {
  return (tree: MarkdownNode): void => {
    const depths: number[] = [];
    walk(tree, (node) => {
      if (node.type === 'raw') node.type = 'text';
      // Escapes again, because entities such as `&#x202E;` have been decoded only now.
      if (node.type === 'text' && node.value !== undefined) node.value = escapeInvisible(node.value);
      const depth = node.type === 'element' ? /^h([1-6])$/.exec(node.tagName ?? '')?.[1] : undefined;
      if (depth === undefined) return;
      while (depths.length > 0 && Number(depth) <= (depths.at(-1) ?? 0)) depths.pop();
      depths.push(Number(depth));
      node.tagName = `h${Math.min(6, options.topHeadingLevel + depths.length - 1)}`;
    });
  };
}

function walk(root: MarkdownNode, visit: (node: MarkdownNode) => void): void {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node);
    stack.push(...(node.children ?? []).slice().reverse());
  }
}

/**
 * Returns the target of a Markdown link, or `undefined`: other schemes run code, and relative links would look like the
 * application's own pages.
 */
export function parseLinkTarget(
  href: string | undefined,
): { readonly href: string; readonly host: string } | undefined {
  const url = href !== undefined && /^(?:https?|mailto):/i.test(href) ? parseUrl(href) : undefined;
  if (url === undefined) return undefined;
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  // A user name before the host could be mistaken for the host.
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host };
}

/** Maximum length of a text that is parsed; longer text could block the page. */
const MAX_TEXT_LENGTH = 200_000;

/**
 * Returns whether a text can be parsed as Markdown: texts that are too long or nested too deeply could block the page.
 */
export function isParsable(text: string): boolean {
  return (
    text.length <= MAX_TEXT_LENGTH && !/^(?:[ \t]*(?:>|[-*+]|\d+[.)])){40}/m.test(text) && !/[[(*_]{200}/.test(text)
  );
}

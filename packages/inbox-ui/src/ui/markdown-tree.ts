import { escapeInvisible } from './escape-invisible.js';

/** As much of a hast node as is looked at here (https://github.com/syntax-tree/hast). */
export interface MarkdownNode {
  type: string;
  tagName?: string;
  value?: string;
  children?: MarkdownNode[];
}

/**
 * Makes of HTML in Markdown what it is to us: text. And gives headings levels that fit where the Markdown is shown: none
 * above `first`, none left out (WCAG 2.2, 1.3.1). What is not seen in it is named. A rehype plugin.
 */
export function sanitizeMarkdown(options: { readonly first: number }) {
  return (tree: MarkdownNode): void => {
    const depths: number[] = [];
    walk(tree, (node) => {
      if (node.type === 'raw') node.type = 'text';
      // Once more: what was written as an entity (`&#x202E;`) is a character only now.
      if (node.type === 'text' && node.value !== undefined) node.value = escapeInvisible(node.value);
      const depth = node.type === 'element' ? /^h([1-6])$/.exec(node.tagName ?? '')?.[1] : undefined;
      if (depth === undefined) return;
      while (depths.length > 0 && Number(depth) <= (depths.at(-1) ?? 0)) depths.pop();
      depths.push(Number(depth));
      node.tagName = `h${Math.min(6, options.first + depths.length - 1)}`;
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

/** Where a link of Markdown may go, or nothing: other schemes run things, and relative ones would look like our own pages. */
export function linkTarget(href: string | undefined): { readonly href: string; readonly host: string } | undefined {
  if (href === undefined || !/^(?:https?|mailto):/i.test(href) || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.protocol === 'mailto:') return { href: url.href, host: url.pathname };
  // A name before the host is there to be taken for the host.
  url.username = '';
  url.password = '';
  return { href: url.href, host: url.host };
}

/** Longer than this, or nested deeper, it is shown as text: parsing it would hold up the page. */
const MAX_LENGTH = 200_000;

/** Whether a text is worth parsing as Markdown. */
export function isParsable(text: string): boolean {
  return text.length <= MAX_LENGTH && !/^(?:[ \t]*(?:>|[-*+]|\d+[.)])){40}/m.test(text) && !/[[(*_]{200}/.test(text);
}

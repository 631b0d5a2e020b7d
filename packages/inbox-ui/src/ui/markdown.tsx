import { Typography } from '@mantine/core';
import { Component, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { texts } from '../texts/index.js';
import { isParsable, parseLinkTarget, sanitizeMarkdown } from './markdown-tree.js';
import { escapeInvisible } from './escape-invisible.js';
import { ExternalLink } from './external-link.js';
import './markdown.css';

/** Allowed elements and attributes. No ids, classes or styles, so that the content cannot imitate parts of the page. */
const SANITIZE_SCHEMA = {
  tagNames: [
    'a',
    'blockquote',
    'br',
    'code',
    'del',
    'em',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'img',
    'input',
    'li',
    'ol',
    'p',
    'pre',
    'strong',
    'sup',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ],
  attributes: {
    a: ['href', 'title'],
    img: ['alt'],
    input: ['checked', 'disabled', ['type', 'checkbox']],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  required: {},
  strip: ['script'],
  clobber: [],
  clobberPrefix: '',
} as never;

const COMPONENTS: Components = {
  a: ({ href, title, children }) => <ExternalLink href={href} title={title} label={children} />,
  // Images are never loaded: a request would reveal whether and when the text was viewed.
  img: ({ alt }) => <span className="cs-markdown-image">{texts.ui.markdown.image(escapeInvisible(alt ?? ''))}</span>,
  input: ({ checked }) => (
    <span className="cs-markdown-task">
      {checked === true ? `☑ ${texts.ui.markdown.done}` : `☐ ${texts.ui.markdown.open}`}{' '}
    </span>
  ),
  table: ({ children }) => (
    <div className="cs-markdown-table" role="group" aria-label={texts.ui.markdown.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

interface MarkdownProps {
  readonly text: string;
  /** Level of the topmost headings in the text: one below the heading above it. */
  readonly headingLevel?: 2 | 3 | 4 | 5;
}

/**
 * Renders untrusted GitHub Flavored Markdown. HTML is displayed as text, images as their alternative text, and links
 * with their target host unless the label is the address.
 */
export const Markdown = memo(function Markdown({ text, headingLevel = 3 }: MarkdownProps) {
  const plainText = <pre className="cs-plain-text">{escapeInvisible(text)}</pre>;
  if (!isParsable(text)) return plainText;
  return (
    <MarkdownErrorBoundary key={text} fallback={plainText}>
      <Typography className="cs-markdown">
        <ReactMarkdown
          remarkPlugins={[remarkGfm]}
          rehypePlugins={[
            [sanitizeMarkdown, { topHeadingLevel: headingLevel } satisfies Parameters<typeof sanitizeMarkdown>[0]],
            [rehypeSanitize, SANITIZE_SCHEMA],
          ]}
          components={COMPONENTS}
          urlTransform={(url) => parseLinkTarget(url)?.href ?? ''}
        >
          {escapeInvisible(text)}
        </ReactMarkdown>
      </Typography>
    </MarkdownErrorBoundary>
  );
});

/** Renders a fallback if its children fail to render. */
class MarkdownErrorBoundary extends Component<
  { readonly fallback: ReactNode; readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

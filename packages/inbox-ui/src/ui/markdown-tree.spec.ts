import { expect } from 'chai';
import { isParsable, parseLinkTarget, sanitizeMarkdown, type MarkdownNode } from './markdown-tree.js';

describe('markdown', () => {
  it('should convert HTML to text and number headings without gaps', () => {
    // given
    const createHeading = (depth: number): MarkdownNode => ({ type: 'element', tagName: `h${depth}`, children: [] });
    const tree: MarkdownNode = {
      type: 'root',
      children: [
        createHeading(2),
        { type: 'raw', value: '<script>' },
        createHeading(5),
        createHeading(4),
        createHeading(1),
        createHeading(6),
      ],
    };
    // when
    sanitizeMarkdown({ topHeadingLevel: 3 })(tree);
    // then
    expect(tree.children?.map(({ type, tagName, value }) => tagName ?? `${type} ${value}`)).to.deep.equal([
      'h3',
      'text <script>',
      'h4',
      'h4',
      'h3',
      'h4',
    ]);
  });

  it('should escape invisible characters in text', () => {
    const tree: MarkdownNode = {
      type: 'root',
      children: [{ type: 'element', tagName: 'p', children: [{ type: 'text', value: 'pay \u202e001' }] }],
    };
    sanitizeMarkdown({ topHeadingLevel: 2 })(tree);
    expect(tree.children?.[0]?.children?.[0]?.value).to.equal('pay ⟦U+202E⟧001');
  });

  it('should parse link targets in browsers without URL.canParse, such as Chromium 108', () => {
    // given
    const canParse = Object.getOwnPropertyDescriptor(URL, 'canParse')!;
    Reflect.deleteProperty(URL, 'canParse');
    try {
      // when
      const [valid, invalid] = [parseLinkTarget('https://example.com/a'), parseLinkTarget('http://')];

      // then
      expect(valid).to.deep.equal({ href: 'https://example.com/a', host: 'example.com' });
      expect(invalid).to.equal(undefined);
    } finally {
      Object.defineProperty(URL, 'canParse', canParse);
    }
  });

  it('should allow only web and mail links and return their host', () => {
    expect(parseLinkTarget('https://example.com/a?b=1')).to.deep.equal({
      href: 'https://example.com/a?b=1',
      host: 'example.com',
    });
    expect(parseLinkTarget('MAILTO:ada@example.com')).to.deep.equal({
      href: 'mailto:ada@example.com',
      host: 'ada@example.com',
    });
    expect(parseLinkTarget('https://bank.example@evil.example/')).to.deep.equal({
      href: 'https://evil.example/',
      host: 'evil.example',
    });
    expect(parseLinkTarget('https://\u0430\u0440\u0440le.com/')?.host).to.equal('xn--le-6kc8da.com');
    for (const href of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '/runs',
      '#top',
      '//evil.example',
      'blob:x',
      '',
      'http://',
      undefined,
    ]) {
      expect(parseLinkTarget(href), String(href)).to.equal(undefined);
    }
  });

  it('should refuse text that is too long or nested too deeply', () => {
    expect(isParsable('# Title\n\n> quoted\n\n- a\n  - b')).to.equal(true);
    for (const text of [
      'x'.repeat(200_001),
      '>'.repeat(50),
      '- '.repeat(60),
      `ok\n${'> '.repeat(50)}deep`,
      '['.repeat(500),
    ])
      expect(isParsable(text)).to.equal(false);
  });
});

import { expect } from 'chai';
import { readFile } from 'node:fs/promises';

const DOCS = new URL('../../../docs/', import.meta.url);

describe('docs/walkthroughs.md', () => {
  it('should name only functions and classes that the linked files declare', async () => {
    // given
    const page = await readFile(new URL('walkthroughs.md', DOCS), 'utf8');
    const links = [...page.matchAll(/\[`(\w+)`\]\(([^)]+)\)/g)];
    expect(links.length).to.be.greaterThan(30);

    for (const [, name = '', path = ''] of links) {
      // when
      const source = await readFile(new URL(path, DOCS), 'utf8');

      // then
      expect(source, `${name} in ${path}`).to.match(
        new RegExp(
          `^(export )?(async )?(const|function\\*?|(?:abstract )?class|interface) ${name}\\b|^  ${name}: defineRoute`,
          'm',
        ),
      );
    }
  });

  it('should link to files that exist', async () => {
    const page = await readFile(new URL('walkthroughs.md', DOCS), 'utf8');

    for (const [, path = ''] of page.matchAll(/\]\(([^)#]+)\)/g)) await readFile(new URL(path, DOCS));
  });
});

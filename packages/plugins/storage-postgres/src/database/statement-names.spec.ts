import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';

/** A named statement: its name, and the source of its text. */
const STATEMENT = /\bname: '(\w+)',(?:\s*\/\/[^\n]*)*\s*(text\b[^]*?)\bvalues\b/gu;
const CHANGE = /\bchange\(\s*'(\w+)',\s*(`[^`]*`|'[^']*')/gu;
const SOURCES = new URL('../../src/', import.meta.url);

describe('prepared statements', () => {
  it('should have a different name for each statement text', async () => {
    // given
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /(?<!\.spec)\.ts$/u.test(file));
    const texts = new Map<string, Set<string>>();

    // when
    for (const file of files) {
      const source = await readFile(new URL(file, SOURCES), 'utf8');
      for (const [, name = '', text = ''] of [...source.matchAll(STATEMENT), ...source.matchAll(CHANGE)])
        texts.set(name, (texts.get(name) ?? new Set()).add(text.replaceAll(/\s+/gu, ' ')));
    }

    // then
    expect(texts.size).to.be.greaterThan(90);
    expect([...texts].filter(([, { size }]) => size > 1).map(([name]) => name)).to.deep.equal([]);
  });
});

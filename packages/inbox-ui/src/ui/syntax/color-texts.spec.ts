import { expect } from 'chai';
import { ColorBudget } from './color-budget.js';
import { colorTexts, MAX_COLORED_CHARACTERS, type TextLine } from './color-texts.js';
import type { Language } from './find-language.js';
import { loadParser } from './load-parser.js';
import { MAX_COLORED_LINE_LENGTH } from './parse-lines.js';

const LANGUAGES: Readonly<Record<Language, string>> = {
  c: 'int x = 1; // c',
  cpp: 'int x = 1; // c',
  csharp: 'int x = 1; // c',
  css: 'a { color: red; } /* c */',
  dockerfile: 'FROM node:20',
  go: 'func x() { return 1 } // c',
  groovy: 'def x = 1 // c',
  hcl: 'resource "a" "b" { count = 1 } # c',
  html: '<a href="x">y</a>',
  java: 'int x = 1; // c',
  javascript: 'const x = 1; // c',
  json: '{"x": [1, true, "y"]}',
  kotlin: 'val x = 1 // c',
  less: '@x: 1px; // c',
  powershell: 'if ($x) { "y" } # c',
  properties: 'x = 1',
  python: 'def x(): return 1 # c',
  ruby: 'def x; 1; end # c',
  rust: 'let x = 1; // c',
  scala: 'val x = 1 // c',
  scss: '$x: 1px; // c',
  shell: 'if true; then echo "x"; fi # c',
  sql: "SELECT 'x' FROM y -- c",
  swift: 'let x = 1 // c',
  toml: 'x = 1 # c',
  typescript: 'const x: number = 1; // c',
  xml: '<a b="x">y</a>',
  yaml: 'x: 1 # c',
};

/** Returns the words of each line that have a colour. */
async function findColors(
  language: Language,
  texts: readonly (readonly string[])[],
  { signal = new AbortController().signal, isFromStart = false, share = new ColorBudget(Infinity).openShare() } = {},
): Promise<readonly (readonly string[])[]> {
  const lines = texts.map((text) => text.map((each): TextLine => ({ key: {}, text: each })));
  const sourceTexts = lines.map((each) => ({ lines: each, isFromStart }));
  const colors = await colorTexts(await loadParser(language), language, sourceTexts, signal, share);
  return lines.flat().map(({ key, text }) => {
    let start = 0;
    return (colors.get(key) ?? []).flatMap(({ end, kind }) => {
      const word = text.slice(start, end);
      start = end;
      return kind === undefined ? [] : [`${kind} ${word}`];
    });
  });
}

describe('colorTexts', () => {
  for (const [language, text] of Object.entries(LANGUAGES) as [Language, string][])
    it(`should colour ${language}`, async () => {
      expect((await findColors(language, [[text]]))[0]).not.to.deep.equal([]);
    });

  for (const [description, language, text, expected] of [
    [
      'TypeScript',
      'typescript',
      ['const one: string = "x"; // note', 'return `a', 'b`;'],
      [
        ['keyword const', 'name one', 'type string', 'string "x"', 'comment // note'],
        ['keyword return', 'string `a'],
        ['string b`'],
      ],
    ],
    ['JSON', 'json', ['{"a": "b", "c": 1}'], [['name "a"', 'string "b"', 'name "c"', 'number 1']]],
    [
      'YAML',
      'yaml',
      ['# note', 'a b: "c" # d', "- 'e': true", 'f: |', '  g: 1', '', '  h', 'i: x#y: z', 'url: http://x', 'j: [1, k]'],
      [
        ['comment # note'],
        ['name a b', 'string "c"', 'comment # d'],
        ["name 'e'", 'number true'],
        ['name f', 'type |'],
        ['string   g: 1'],
        [],
        ['string   h'],
        ['name i'],
        ['name url'],
        ['name j', 'number 1'],
      ],
    ],
    [
      'Terraform',
      'hcl',
      ['variable "a" {', '  count = 2 /* b', 'c */ x == null', '}'],
      [
        ['keyword variable', 'string "a"'],
        ['name count', 'number 2', 'comment /* b'],
        ['comment c */', 'number null'],
        [],
      ],
    ],
    [
      'a comment that starts before the first line',
      'java',
      ['  * part of a comment', '  */', 'int x;'],
      [['comment * part of a comment'], ['comment */'], ['type int']],
    ],
    [
      'a comment that starts before the first line, and another one after it',
      'java',
      ['one */ int x; /* two'],
      [['comment one */', 'type int', 'comment /* two']],
    ],
    [
      'a comment that starts before the first line',
      'xml',
      ['part of a comment', '--><a/>'],
      [['comment part of a comment'], ['comment -->', 'keyword a']],
    ],
    ['a glob', 'javascript', ["x('a/**/b');"], [["string 'a/**/b'"]]],
  ] as const)
    it(`should colour ${description} (${language})`, async () => {
      const colors = await findColors(language, [text]);
      expect(colors).to.deep.equal(expected);
    });

  it('should not take the first lines of a file for a comment that starts before them', async () => {
    // given: the end of a comment that does not start, as an agent may write it
    const text = ['int secret = 1;', 'x */'];
    // when
    const [fileColors] = await findColors('java', [text], { isFromStart: true });
    const [hunkColors] = await findColors('java', [text]);
    // then
    expect(fileColors).to.deep.equal(['type int', 'number 1']);
    expect(hunkColors).to.deep.equal(['comment int secret = 1;']);
  });

  it('should leave the lines beyond the budget plain', async () => {
    const budget = new ColorBudget(5);
    const share = budget.openShare();
    expect(await findColors('json', [['[1, 2]', '[3, 4]', '[5, 6]'], ['7']], { share })).to.deep.equal([
      ['number 1', 'number 2'],
      ['number 3', 'number 4'],
      [],
      [],
    ]);
    expect(await findColors('json', [['[1]', '[2]']], { share: budget.openShare() }), 'a second text').to.deep.equal([
      ['number 1'],
      [],
    ]);
  });

  it('should give colours of a text that is no longer displayed to other texts', async () => {
    const budget = new ColorBudget(1);
    const first = budget.openShare();
    await findColors('json', [['1']], { share: first });
    first.release();
    expect(await findColors('json', [['2']], { share: first }), 'released').to.deep.equal([[]]);
    expect(await findColors('json', [['3']], { share: budget.openShare() })).to.deep.equal([['number 3']]);
  });

  it('should start each text anew', async () => {
    expect(await findColors('javascript', [['/* one'], ['two; // three']])).to.deep.equal([
      ['comment /* one'],
      ['comment // three'],
    ]);
  });

  it('should not colour long lines, nor lines beyond the limit', async () => {
    // given
    const long = `/*${' '.repeat(MAX_COLORED_LINE_LENGTH)}`;
    const lines = Array.from({ length: Math.ceil(MAX_COLORED_CHARACTERS / 100) + 1 }, () => `//${'x'.repeat(97)}`);
    // when
    const [longColors, nextColors] = await findColors('go', [[long, 'return']]);
    const colors = await findColors('sql', [['SELECT', ...lines]]);
    // then
    expect([longColors, nextColors]).to.deep.equal([[], ['keyword return']]);
    expect(colors[0]).to.deep.equal(['keyword SELECT']);
    expect(colors.at(-1)).to.deep.equal([]);
  }).timeout(20_000);

  it('should end no token within a character', async () => {
    const lines = ['😀 = "😀"; 😀😀', 'a😀b'];
    for (const language of Object.keys(LANGUAGES) as Language[])
      for (const words of await findColors(language, [lines]))
        for (const word of words) expect(word, language).not.to.match(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
  });

  it('should colour nothing once it is aborted', async () => {
    expect(await findColors('json', [['1']], { signal: AbortSignal.abort() })).to.deep.equal([[]]);
  });

  it('should colour nothing, but not fail, if a parser fails or does not advance', async () => {
    const line: TextLine = { key: {}, text: 'x' };
    for (const token of [
      () => null,
      () => {
        throw new Error('broken');
      },
    ]) {
      const colors = await colorTexts(
        { token },
        'json',
        [{ lines: [line], isFromStart: true }],
        new AbortController().signal,
      );
      expect(colors.size).to.equal(0);
    }
  });

  it('should read hostile lines of each language in short time', async () => {
    // given
    const parts = [
      ' ',
      '\t',
      '\\',
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '${',
      '<',
      '<!--',
      'a ',
      'a: ',
      '0',
      '__proto__ ',
      '"a" ',
    ];
    const lines = parts.flatMap((one) =>
      parts.map((other) =>
        `${one.repeat(100)}${other.repeat(MAX_COLORED_LINE_LENGTH)}`.slice(0, MAX_COLORED_LINE_LENGTH),
      ),
    );
    // when, then
    for (const language of Object.keys(LANGUAGES) as Language[])
      expect(await findColors(language, [lines])).to.have.length(lines.length);
  }).timeout(20_000);
});
